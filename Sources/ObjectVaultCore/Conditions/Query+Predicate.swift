public import Foundation

extension ObjectCondition {
  /// The condition that a `#Predicate` says.
  ///
  /// Understood are the properties of the class, references by their objectID
  /// (`$0.classroom?.id == "1a"`), comparisons, calculations, ranges, lists, `&&`, `||`, `!`, nil, `??`
  /// before true or false, and in text `contains`, `starts(with:)` and `isEmpty`. Values compare as
  /// they are stored.
  ///
  /// - Throws: ``VaultError`` `.invalidCondition` naming the part that cannot be asked of a vault.
  public init<T: StoredObject>(_ predicate: Predicate<T>) throws {
    var walk = PredicateWalk(T.self, object: predicate.variable.key)
    self = try walk.condition(predicate.expression)
  }
}

extension Query where T: StoredObject {
  /// The objects for which the predicate holds, too.
  ///
  /// ```swift
  /// try students.where(#Predicate { $0.age >= 18 }).count()
  /// ```
  ///
  /// - Throws: ``VaultError``: `.invalidCondition` naming the part that cannot be asked of a vault;
  ///   otherwise as ``where(_:)-(ObjectCondition)``.
  public func `where`(_ predicate: Predicate<T>) throws -> Query {
    try `where`(ObjectCondition(predicate))
  }
}

extension ObjectStore where T: StoredObject {
  /// The objects for which the predicate holds.
  ///
  /// - Throws: as ``Query/where(_:)-(Predicate<T>)``.
  public func `where`(_ predicate: Predicate<T>) throws -> Query<T> {
    try query.where(predicate)
  }
}
