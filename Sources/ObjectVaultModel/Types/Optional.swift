public import ObjectVaultCondition
public import ObjectVaultDriver

extension Optional: StorableValue where Wrapped: StorableValue {
  /// The property type of the wrapped type.
  public static var propertyType: PropertyType { Wrapped.propertyType }

  /// Whether the type is optional: always `true`.
  public static var isOptional: Bool { true }

  /// Returns the wrapped value of a column, or `nil` for NULL.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Wrapped? {
    try Wrapped.readIfPresent(from: row, at: position)
  }

  /// Binds the wrapped value, or NULL for `nil`.
  ///
  /// - Throws: The errors of the wrapped type, and ``VaultError`` with code `.invalidValue` for a
  ///   value that is itself stored as NULL, because it would be read as `nil`.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    guard let value = self else { return binder.bindNull(at: position) }
    if Wrapped.isOptional { try Self.refuse(nestedNil: value) }
    try value.bind(to: binder, at: position)
  }

  /// The wrapped value in its stored format, or NULL for `nil`.
  ///
  /// - Throws: The errors of ``bind(to:at:)``.
  public var storedValue: StoredValue {
    get throws {
      guard let value = self else { return .null }
      if Wrapped.isOptional { try Self.refuse(nestedNil: value) }
      return try value.storedValue
    }
  }

  @usableFromInline @inline(never)
  static func refuse(nestedNil value: Wrapped) throws {
    if try value.storedValue.isNull {
      throw VaultError.unstorable(
        "A nil inside an optional", of: Self.self,
        remedy: "A column has only one form of nil. Use a single optional.")
    }
  }
}
