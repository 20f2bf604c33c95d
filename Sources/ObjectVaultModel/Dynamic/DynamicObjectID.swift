public import ObjectVaultCondition
public import ObjectVaultDriver

/// The object ID of a ``DynamicObject``: one value, or several for a composite object ID.
public struct DynamicObjectID: ObjectIDValue {
  /// The parts in the order of the class; no part is ``StoredValue/null``.
  public let objectIDParts: [StoredValue]

  /// Creates an object ID from its parts, in the order of the class.
  public init(_ parts: [StoredValue]) { objectIDParts = parts }

  /// Creates an object ID from one value.
  public init(_ value: StoredValue) { objectIDParts = [value] }

  /// Creates an object ID from a generated integer.
  public init?(rowID: Int64) { self.init(.integer(rowID)) }

  /// Binds the parts at consecutive positions.
  public func bindObjectID(to binder: Binder, at position: Int) throws {
    for (offset, part) in objectIDParts.enumerated() {
      part.bind(to: binder, at: position + offset)
    }
  }
}
