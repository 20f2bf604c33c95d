/// A reference to an object of another or the same class, stored as its object ID.
///
/// It is a foreign key in the file, which prevents dangling references.
public struct ReferenceDescription: Sendable, Hashable {
  /// The name in Swift and in conditions.
  public var name: String
  /// The names of the properties for the parts of the target's object ID, in order.
  ///
  /// A single part has the name of the reference. Several parts are named `<name>_<part>`.
  public var properties: [String]
  /// The table of the referenced class.
  public var target: String
  /// The columns of the target's object ID.
  public var targetColumns: [String]
  /// The delete rule: the effect on the object when the target is removed.
  public var onDelete: DeleteRule

  /// Creates a description of a reference.
  ///
  /// - Parameters:
  ///   - name: The name in Swift and in conditions.
  ///   - properties: The properties for the parts of the target's object ID. Default: the property
  ///     with the name of the reference.
  ///   - target: The table of the referenced class.
  ///   - targetColumns: The columns of the target's object ID. Default: the column for generated
  ///     IDs.
  ///   - onDelete: The delete rule: the effect on the object when the target is removed.
  public init(
    _ name: String, properties: [String]? = nil, target: String,
    targetColumns: [String] = [ClassDescription.generatedIDColumn], onDelete: DeleteRule = .noAction
  ) {
    self.name = name
    self.properties = properties ?? [name]
    self.target = target
    self.targetColumns = targetColumns
    self.onDelete = onDelete
  }
}

/// The inverse of a reference: objects of another class that are loaded and saved with their owner.
public struct OwnedDescription: Sendable, Hashable {
  /// The name in Swift and in conditions.
  public var name: String
  /// The table of the owned class.
  public var target: String
  /// The name of the owned class's reference to the owner.
  public var reference: String
  /// Whether an owner can have more than one object.
  public var isMany: Bool
  /// The names of the owned class's properties that define the order, with ties sorted by object
  /// ID.
  public var sortedBy: [String]
  /// Whether the vault stores the order of the owner's array.
  public var isOrdered: Bool

  /// Creates a description of owned objects.
  ///
  /// - Parameters:
  ///   - name: The name in Swift and in conditions.
  ///   - target: The table of the owned class.
  ///   - reference: The name of the owned class's reference to the owner.
  ///   - isMany: Whether an owner can have more than one object.
  ///   - sortedBy: The names of the owned class's properties that define the order.
  ///   - ordered: Whether the vault stores the order of the owner's array.
  public init(
    _ name: String, target: String, reference: String, isMany: Bool = true, sortedBy: [String] = [],
    ordered: Bool = false
  ) {
    self.name = name
    self.target = target
    self.reference = reference
    self.isMany = isMany
    self.sortedBy = sortedBy
    isOrdered = ordered
  }
}
