public import ObjectVaultCondition
public import ObjectVaultEngine

extension Optional: StorableValue where Wrapped: StorableValue {
  /// The type of what is wrapped.
  public static var propertyType: PropertyType { Wrapped.propertyType }

  /// `true`.
  public static var isOptional: Bool { true }

  /// Reads the wrapped value, or `nil` where the column holds none.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Wrapped? {
    try Wrapped.readIfPresent(from: row, at: position)
  }

  /// Binds the wrapped value, or no value for `nil`.
  ///
  /// - Throws: as the wrapped type; and ``VaultError`` with code `.invalidValue` for a value whose
  ///   own stored form is no value, since it would come back as `nil`.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    guard let value = self else { return binder.bindNull(at: position) }
    if Wrapped.isOptional { try Self.refuse(nestedNil: value) }
    try value.bind(to: binder, at: position)
  }

  /// The wrapped value as the file keeps it, or no value for `nil`.
  ///
  /// - Throws: as ``bind(to:at:)``.
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
        remedy: "A column has one way to hold no value; use a single optional.")
    }
  }
}
