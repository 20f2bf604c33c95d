public import ObjectVaultCondition
public import ObjectVaultEngine

/// A type that can be an objectID: one storable value, or several for a composite objectID.
public protocol ObjectIDValue: Hashable, Sendable {
  /// The parts as the file keeps them, in the order the class names them.
  var objectIDParts: [StoredValue] { get throws }

  /// Binds the parts at consecutive positions from `position`.
  func bindObjectID(to binder: Binder, at position: Int) throws
}

extension ObjectIDValue where Self: StorableValue {
  /// The one part.
  public var objectIDParts: [StoredValue] { get throws { [try storedValue] } }

  /// Binds the one part.
  @inlinable
  public func bindObjectID(to binder: Binder, at position: Int) throws {
    try bind(to: binder, at: position)
  }
}
