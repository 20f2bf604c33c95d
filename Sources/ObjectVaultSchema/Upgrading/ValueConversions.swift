import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

/// The conversions that the statements of a running upgrade call.
///
/// `ov_converted(n, value)` returns the result of conversion `n`. `ov_is_lost(n, value)` returns 1
/// if the conversion has no result.
final class ValueConversions {
  typealias Conversion = (StoredValue) throws -> StoredValue?

  private var conversions: [Conversion] = []
  private let connection: any DriverConnection

  /// Registers the functions on a connection until ``end()`` is called.
  init(on connection: any DriverConnection) throws {
    self.connection = connection
    try connection.addFunction("ov_converted", arguments: 2) { [unowned self] arguments in
      try self.conversion(arguments)(arguments[1]) ?? .null
    }
    try connection.addFunction("ov_is_lost", arguments: 2) { [unowned self] arguments in
      // An error thrown by the application's conversion counts as no result.
      let value = try? self.conversion(arguments)(arguments[1])
      return .integer(value == nil ? 1 : 0)
    }
  }

  /// Unregisters the functions.
  func end() {
    for name in ["ov_converted", "ov_is_lost"] { connection.removeFunction(name, arguments: 2) }
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

  private func conversion(_ arguments: [StoredValue]) throws -> Conversion {
    guard case .integer(let number) = arguments[0], let number = Int(exactly: number),
      conversions.indices.contains(number)
    else {
      throw DriverError(.sqlError, "The conversion has no such number.")
    }
    return conversions[number]
  }
}
