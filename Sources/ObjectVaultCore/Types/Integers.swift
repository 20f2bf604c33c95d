public import ObjectVaultCondition
public import ObjectVaultEngine

extension Int64: StorableValue, ObjectIDValue {
  /// `Int64`.
  public static var propertyType: PropertyType { .int64 }

  /// Reads an integer.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Int64 {
    row.integer(at: position)
  }

  /// Binds an integer.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    binder.bind(integer: self, at: position)
  }

  /// An integer.
  public var storedValue: StoredValue { .integer(self) }
}
