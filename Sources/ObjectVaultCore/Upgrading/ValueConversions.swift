import ObjectVaultCondition
import ObjectVaultEngine

/// The conversions that the statements of an upgrade call, while it runs.
///
/// `ov_converted(n, value)` is what the conversion of this number makes of a value, and
/// `ov_is_lost(n, value)` is 1 where it makes nothing of it.
final class ValueConversions {
  typealias Conversion = (StoredValue) throws -> StoredValue?

  private var conversions: [Conversion] = []
  private let engine: Connection

  /// Makes the functions known to a connection, until ``end()``.
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
      // What a conversion of the application's throws means the same as nothing.
      let value = try? self.conversion(arguments)(arguments.storedValue(at: 1))
      result.set(value == nil)
    }
  }

  /// Takes the functions away again.
  func end() {
    for name in ["ov_converted", "ov_is_lost"] { engine.unregister(function: name, arguments: 2) }
  }

  /// Takes a conversion, and gives its number.
  func add(_ conversion: @escaping Conversion) -> Int {
    conversions.append(conversion)
    return conversions.count - 1
  }

  /// A conversion that the application gives, whose results are looked at.
  ///
  /// - Parameter checked: A result as the property keeps it, or `nil` where it cannot.
  func conversion(
    _ given: PropertyConversion, checked: @escaping (StoredValue) -> StoredValue?
  ) throws -> Conversion {
    // The application's closure takes a value of its type, which is read from a row.
    let row = try engine.prepare("SELECT ?1", persistent: false)
    return { value in
      if value.isNull, !given.takesNil { return .null }
      defer { row.reset() }
      value.bind(to: row.binder, at: 0)
      guard try row.step() else { return nil }
      return checked(try given.convert(row.row))
    }
  }

  private func conversion(_ arguments: FunctionArguments) throws -> Conversion {
    let number = Int(arguments.integer(at: 0))
    guard conversions.indices.contains(number) else {
      throw EngineError(.sqlError, "there is no conversion of this number")
    }
    return conversions[number]
  }
}

extension FunctionArguments {
  /// An argument's value as the file keeps it.
  fileprivate func storedValue(at position: Int) -> StoredValue {
    switch storageClass(at: position) {
    case StorageClass.integer: .integer(integer(at: position))
    case StorageClass.real: .real(real(at: position))
    case StorageClass.text: .text(text(at: position) ?? "")
    case StorageClass.blob: .blob(withBytes(at: position) { [UInt8]($0) })
    default: .null
    }
  }
}
