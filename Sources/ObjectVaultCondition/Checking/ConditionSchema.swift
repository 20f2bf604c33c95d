/// What conditions need to know of a class.
package protocol ConditionSchema: Sendable {
  /// The name of the class, for errors.
  var className: String { get }

  /// The names of the properties in declaration order.
  var propertyNames: [String] { get }

  /// The property of that name.
  func property(named name: String) -> PropertyShape?

  /// The properties that make the objectID, in its order.
  var objectID: [PropertyShape] { get }

  /// The names of the associations in declaration order.
  ///
  /// A reference kept in one property has that property's name.
  var associationNames: [String] { get }

  /// The association of that name.
  ///
  /// - Throws: What getting to know the class at its other end throws.
  func association(named name: String) throws -> AssociationShape?
}

extension ConditionSchema {
  package var objectID: [PropertyShape] { [] }
  package var associationNames: [String] { [] }
  package func association(named name: String) throws -> AssociationShape? { nil }
}

/// What conditions need to know of a property.
package struct PropertyShape: Sendable, Hashable {
  package var name: String
  /// Where its value stands in a row.
  package var position: Int
  package var type: PropertyType
  package var isOptional: Bool
  /// Whether a row has, in the place of a long value, what stands for it.
  package var isShared: Bool

  package init(
    _ name: String, at position: Int, type: PropertyType, isOptional: Bool, isShared: Bool = false
  ) {
    self.name = name
    self.position = position
    self.type = type
    self.isOptional = isOptional
    self.isShared = isShared
  }
}
