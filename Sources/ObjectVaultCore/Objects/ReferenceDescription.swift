/// A reference to one object of another class, or of the same, kept as that object's objectID.
///
/// It is a foreign key of the file: no reference is ever left without its object.
public struct ReferenceDescription: Sendable, Hashable {
  /// The name in Swift and in conditions.
  public var name: String
  /// The names of the properties that keep the parts of the target's objectID, in its order.
  ///
  /// One part: a property of the reference's own name. Several: `<name>_<part>` for each.
  public var properties: [String]
  /// The table of the class referred to.
  public var target: String
  /// The columns of the target's objectID.
  public var targetColumns: [String]
  /// What becomes of the object when the target is removed.
  public var onDelete: DeleteRule

  /// Describes a reference.
  ///
  /// - Parameters:
  ///   - name: The name in Swift and in conditions.
  ///   - properties: The properties that keep the parts of the target's objectID; the one of the
  ///     reference's own name by default.
  ///   - target: The table of the class referred to.
  ///   - targetColumns: The columns of the target's objectID; that of generated ones by default.
  ///   - onDelete: What becomes of the object when the target is removed.
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

/// The other side of a reference: objects of another class that refer to this one and are loaded
/// and saved with it.
public struct OwnedDescription: Sendable, Hashable {
  /// The name in Swift and in conditions.
  public var name: String
  /// The table of the owned class.
  public var target: String
  /// The name of the owned class's reference to the owner.
  public var reference: String
  /// Whether there may be more than one.
  public var isMany: Bool
  /// The names of the owned class's properties that give the order; equal ones are in the order of
  /// their objectIDs.
  public var sortedBy: [String]

  /// Describes owned objects.
  ///
  /// - Parameters:
  ///   - name: The name in Swift and in conditions.
  ///   - target: The table of the owned class.
  ///   - reference: The name of the owned class's reference to the owner.
  ///   - isMany: Whether there may be more than one.
  ///   - sortedBy: The names of the owned class's properties that give the order.
  public init(
    _ name: String, target: String, reference: String, isMany: Bool = true, sortedBy: [String] = []
  ) {
    self.name = name
    self.target = target
    self.reference = reference
    self.isMany = isMany
    self.sortedBy = sortedBy
  }
}
