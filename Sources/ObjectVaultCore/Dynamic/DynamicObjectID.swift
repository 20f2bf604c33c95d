public import ObjectVaultCondition
public import ObjectVaultEngine

/// The objectID of a ``DynamicObject``: one value, or several for a composite objectID.
public struct DynamicObjectID: ObjectIDValue {
  /// The parts in the order the class names them; none is ``StoredValue/null``.
  public let objectIDParts: [StoredValue]

  /// Makes an objectID of its parts, in the order the class names them.
  public init(_ parts: [StoredValue]) { objectIDParts = parts }

  /// Makes an objectID of one value.
  public init(_ value: StoredValue) { objectIDParts = [value] }

  /// Makes the objectID of a row number.
  public init?(rowID: Int64) { self.init(.integer(rowID)) }

  /// Binds the parts at consecutive positions.
  public func bindObjectID(to binder: Binder, at position: Int) throws {
    for (offset, part) in objectIDParts.enumerated() {
      part.bind(to: binder, at: position + offset)
    }
  }
}
