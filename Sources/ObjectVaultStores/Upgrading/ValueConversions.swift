import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultModel

/// The conversions that the statements of a running upgrade call.
///
/// `ov_converted(n, value)` returns the result of conversion `n`. `ov_is_lost(n, value)` returns 1
/// if the conversion has no result.
final class ValueConversions {
  typealias Conversion = (StoredValue) throws -> StoredValue?

  private var conversions: [Conversion] = []
  private let engine: Connection

  /// Registers the functions on a connection until ``end()`` is called.
  init(on engine: Connection) throws {
    self.engine = engine
    try engine.register(function: "ov_converted", arguments: 2, deterministic: false) {
      [unowned self] arguments, result in
      switch try self.conversion(arguments)(arguments.storedValue(at: 1)) ?? .null {
      case .null: result.setNull()
      case .integer(let value): result.set(value)
      case .real(let value): result.set(value)
      case .text(let value): result.set(value)
      case .blob(let bytes): bytes.withUnsafeBytes { result.set(bytes: $0) }
      }
    }
    try engine.register(function: "ov_is_lost", arguments: 2, deterministic: false) {
      [unowned self] arguments, result in
      // An error thrown by the application's conversion counts as no result.
      let value = try? self.conversion(arguments)(arguments.storedValue(at: 1))
      result.set(value == nil)
    }
  }

  /// Unregisters the functions.
  func end() {
    for name in ["ov_converted", "ov_is_lost"] { engine.unregister(function: name, arguments: 2) }
  }

  /// Adds a conversion and returns its number.
  func add(_ conversion: @escaping Conversion) -> Int {
    conversions.append(conversion)
    return conversions.count - 1
  }

  /// Returns a conversion of the application with checked results.
  ///
  /// The closure `checked` returns a result as the property stores it, or `nil` if the property
  /// cannot store it.
  ///
  /// - Returns: A function that returns `nil` if the conversion has no valid result.
  static func conversion(
    _ given: PropertyConversion, checked: @escaping (StoredValue) -> StoredValue?
  ) -> Conversion {
    { value in
      if value.isNull, !given.takesNil { return .null }
      // The application's closure accepts a value of its own type, which is read from a row.
      return checked(try Row.withValues([value]) { row throws in try given.convert(row) })
    }
  }

  private func conversion(_ arguments: FunctionArguments) throws -> Conversion {
    let number = Int(arguments.integer(at: 0))
    guard conversions.indices.contains(number) else {
      throw DriverError(.sqlError, "The conversion has no such number.")
    }
    return conversions[number]
  }
}

extension FunctionArguments {
  /// Returns an argument's value as the file stores it.
  fileprivate func storedValue(at position: Int) -> StoredValue {
    switch storage(at: position) {
    case .integer: .integer(integer(at: position))
    case .real: .real(real(at: position))
    case .text: .text(text(at: position) ?? "")
    case .blob: .blob(withBytes(at: position) { [UInt8]($0) })
    case .null: .null
    }
  }
}
