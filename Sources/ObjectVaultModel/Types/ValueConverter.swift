import ObjectVaultCondition
package import ObjectVaultDriver

/// A type-erased property converter.
///
/// It converts values for named properties, such as the values of conditions. Objects are read and
/// written without it.
package struct ValueConverter: Sendable {
  let type: any PropertyConverter.Type

  init(_ type: any PropertyConverter.Type) { self.type = type }

  /// The name in error messages.
  package var name: String { "\(type)" }

  /// Whether the converter's value type is itself optional.
  var takesOptionals: Bool {
    func isOptional<C: PropertyConverter>(_ type: C.Type) -> Bool {
      C.Value.self is any ExpressibleByNilLiteral.Type
    }
    return isOptional(self.type)
  }

  // MARK: Conversion of given values

  /// Returns the stored form of a value or of each element of a list.
  ///
  /// The result is `nil` if no value has the converter's value type. Values in their stored form
  /// are also accepted.
  ///
  /// - Throws: `.invalidValue` if the converter rejects the value.
  func argument(_ value: Any?) throws -> ConditionArgument? {
    guard let value = ConditionArgument.unwrapped(value) else { return nil }
    if let stored = try stored(value) { return stored }
    guard !(value is any StorableValue), let sequence = value as? any Sequence else { return nil }
    return try list(sequence)
  }

  private func list(_ sequence: any Sequence) throws -> ConditionArgument? {
    var isConverted = false
    let members = try sequence.map { member in
      guard let stored = try argument(member) else { return try ConditionArgument(member) }
      isConverted = true
      return stored
    }
    guard isConverted else { return nil }
    let name = name
    return .composite(members: members) {
      throw VaultError(
        .invalidArgument,
        "A list is not a value of a property with converter '\(name)'. Use it only with IN.")
    }
  }

  private func stored(_ value: Any) throws -> ConditionArgument? {
    func stored<C: PropertyConverter>(_ type: C.Type) throws -> ConditionArgument? {
      guard let value = value as? C.Value else { return nil }
      let stored = try Converted<C>(value).storedValue
      return stored.isNull ? .null : .value(stored, C.Stored.propertyType)
    }
    return try stored(self.type)
  }

  // MARK: Conversion of stored values

  /// Returns a function that reads a column as the type of the property.
  ///
  /// The result is `nil` for any other type, which reads the stored form.
  package func reader<V>(of type: V.Type) -> ((Row, _ position: Int) throws -> V)? {
    func reader<C: PropertyConverter>(_ converter: C.Type) -> ((Row, Int) throws -> V)? {
      if V.self == C.Value.self {
        return { row, position in
          guard let value = try Converted<C>.read(from: row, at: position).value as? V else {
            throw VaultError.unreadable(through: C.self, at: position)
          }
          return value
        }
      }
      if V.self == C.Value?.self {
        return { row, position in
          let value = try Converted<C>?.read(from: row, at: position)?.value
          guard let value = value as? V else {
            throw VaultError.unreadable(through: C.self, at: position)
          }
          return value
        }
      }
      return nil
    }
    return reader(self.type)
  }
}

extension ValueConverter: Hashable {
  package static func == (a: ValueConverter, b: ValueConverter) -> Bool { a.type == b.type }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}
