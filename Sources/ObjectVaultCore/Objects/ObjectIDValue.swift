public import ObjectVaultCondition
public import ObjectVaultEngine

/// A type that can be an objectID: one storable value, or several for a composite objectID.
public protocol ObjectIDValue: Hashable, Sendable {
  /// The parts as the file keeps them, in the order the class names them.
  var objectIDParts: [StoredValue] { get throws }

  /// Binds the parts at consecutive positions from `position`.
  func bindObjectID(to binder: Binder, at position: Int) throws

  /// Makes the objectID of the row number that the vault generated, or `nil` where the type is not
  /// a number.
  init?(rowID: Int64)
}

extension ObjectIDValue {
  /// `nil`: only numbers are generated.
  public init?(rowID: Int64) { nil }
}

extension ObjectIDValue where Self: FixedWidthInteger {
  /// The number, or `nil` where the type is too narrow for it.
  public init?(rowID: Int64) { self.init(exactly: rowID) }
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
