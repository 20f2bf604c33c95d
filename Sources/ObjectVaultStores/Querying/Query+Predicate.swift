public import Foundation
public import ObjectVaultModel

extension ObjectCondition {
  /// Creates a condition from a `#Predicate`.
  ///
  /// Supported are the properties of the class, references by object ID (`$0.classroom?.id ==
  /// "1a"`), comparisons, calculations, ranges, lists, `&&`, `||`, `!`, nil, `??` before true or
  /// false, and `contains`, `starts(with:)` and `isEmpty` on text. Values are compared in their
  /// stored form.
  ///
  /// - Throws: ``VaultError`` `.invalidCondition` with the name of the unsupported part.
  public init<T: StoredObject>(_ predicate: Predicate<T>) throws {
    var walk = PredicateWalk(T.self, object: predicate.variable.key)
    self = try walk.condition(predicate.expression)
  }
}

extension Query where T: StoredObject {
  /// Returns a query that also requires a predicate.
  ///
  /// ```swift
  /// try students.where(#Predicate { $0.age >= 18 }).count()
  /// ```
  ///
  /// - Throws: ``VaultError``: `.invalidCondition` with the name of an unsupported part, and the
  ///   errors of ``where(_:)-(ObjectCondition)``.
  public func `where`(_ predicate: Predicate<T>) throws -> Query {
    try `where`(ObjectCondition(predicate))
  }
}

extension ObjectStore where T: StoredObject {
  /// Returns a query for the objects that match a predicate.
  ///
  /// - Throws: The errors of ``Query/where(_:)-(Predicate<T>)``.
  public func `where`(_ predicate: Predicate<T>) throws -> Query<T> {
    try query.where(predicate)
  }
}
