import ObjectVaultCondition
import ObjectVaultDriver

extension ConditionArgument {
  /// Creates the argument for a Swift value, in the form in which the file would store it.
  ///
  /// - Throws: `.invalidArgument` for a value that cannot be stored in any property.
  package init(_ value: consuming Any?) throws {
    guard let value = consume value else {
      self = .null
      return
    }
    if let argument = try Self.common(value) {
      self = argument
      return
    }
    guard let value = Self.unwrapped(value) else {
      self = .null
      return
    }
    switch value {
    case let value as any StorableValue:
      self = try Self.storable(value)
    case let value as StoredValue:
      self = try Self.stored(value)
    case let value as DynamicObjectID where value.objectIDParts.count == 1:
      self = try Self.stored(value.objectIDParts[0])
    case let value as any RawRepresentable:
      // An enumeration is stored as its raw value.
      if let raw = value.rawValue as? any StorableValue {
        self = try Self.storable(raw)
      } else {
        self = try Self.composite(value)
      }
    default:
      self = try Self.composite(value)
    }
  }

  /// Returns the argument for a value of one of the most common types, or `nil` for other types.
  ///
  /// Comparing metatypes is much faster than the dynamic casts to protocols that other types need.
  private static func common<T>(_ value: T) throws -> ConditionArgument? {
    // The types are identical, so the bit cast is safe.
    if T.self == String.self { return try storable(unsafeBitCast(value, to: String.self)) }
    if T.self == Int.self { return try storable(unsafeBitCast(value, to: Int.self)) }
    if T.self == Double.self { return try storable(unsafeBitCast(value, to: Double.self)) }
    return nil
  }

  private static func storable<T: StorableValue>(_ value: T) throws -> ConditionArgument {
    let stored = try value.storedValue
    return stored.isNull ? .null : .value(stored, T.propertyType)
  }

  private static func stored(_ value: StoredValue) throws -> ConditionArgument {
    switch value {
    case .null: .null
    case .integer: .value(value, .int64)
    case .real: .value(value, .double)
    case .text: .value(value, .string)
    case .blob: .value(value, .data)
    }
  }

  private static func composite(_ value: Any) throws -> ConditionArgument {
    var members: [ConditionArgument]?
    if let sequence = value as? any Sequence, !(value is any DictionaryLike) {
      // Some members may not be storable. The value can still equal a whole property.
      members = try? sequence.map { try ConditionArgument($0) }
    }
    if let value = value as? any Encodable {
      // The closure runs, if at all, before the call that received the value returns.
      nonisolated(unsafe) let value = value
      return .composite(members: members) { try canonicalJSON(erasing: value) }
    }
    if let members {
      let problem = unusable(value)
      return .composite(members: members) { throw problem }
    }
    throw unusable(value)
  }

  private static func unusable(_ value: Any) -> VaultError {
    VaultError(
      .invalidArgument,
      "A value of type '\(type(of: value))' cannot be compared with a stored property. Pass text, "
        + "a number, a date or another type that can be stored.")
  }

  /// Returns the value inside optionals of any depth.
  package static func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    if let optional = value as? any OptionalValue { return unwrapped(optional.wrappedValue) }
    return value
  }
}

private protocol OptionalValue {
  var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrappedValue: Any? { map { $0 as Any } }
}

private protocol DictionaryLike {}
extension Dictionary: DictionaryLike {}
