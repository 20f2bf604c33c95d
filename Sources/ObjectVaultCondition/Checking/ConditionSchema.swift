/// The facts about a class that conditions need.
package protocol ConditionSchema: Sendable {
  /// The name of the class for error messages.
  var className: String { get }

  /// The names of the properties in declaration order.
  var propertyNames: [String] { get }

  /// Returns the property with a name.
  func property(named name: String) -> PropertyShape?

  /// The properties that form the object ID, in its order.
  var objectID: [PropertyShape] { get }

  /// The names of the associations in declaration order.
  ///
  /// A reference that is stored in one property has the name of the property.
  var associationNames: [String] { get }

  /// Returns the association with a name.
  ///
  /// - Parameter name: The name of the association.
  /// - Returns: The association, or `nil` if the class has none with the name.
  /// - Throws: Errors of loading the class at the other end.
  func association(named name: String) throws -> AssociationShape?
}

extension ConditionSchema {
  package var objectID: [PropertyShape] { [] }
  package var associationNames: [String] { [] }
  package func association(named name: String) throws -> AssociationShape? { nil }
}

/// The facts about a property that conditions need.
package struct PropertyShape: Sendable, Hashable {
  package var name: String
  /// The position of the value in a row.
  package var position: Int
  package var type: PropertyType
  package var isOptional: Bool
  /// Whether a row contains a reference to a shared blob instead of a long value.
  package var isShared: Bool
  /// The column of a sealed property; `nil` for any other.
  package var sealed: SealedColumn?

  package init(
    _ name: String, at position: Int, type: PropertyType, isOptional: Bool, isShared: Bool = false,
    sealed: SealedColumn? = nil
  ) {
    self.name = name
    self.position = position
    self.type = type
    self.isOptional = isOptional
    self.isShared = isShared
    self.sealed = sealed
  }
}
