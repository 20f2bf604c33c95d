import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel

extension Query {
  /// Returns a query that also requires a condition.
  ///
  /// - Throws: ``VaultError``: `.invalidCondition`; `.noSuchProperty` for a name that the class
  ///   does not have; `.invalidValue` or `.invalidArgument` for a value that cannot be stored.
  public func `where`(_ condition: ObjectCondition) throws -> Query {
    try adding(store.access.asked(condition))
  }

  /// Returns a query that also requires a condition on members that the compiler checks.
  ///
  /// ```swift
  /// try students.where { $0.age >= 18 && $0.name.hasPrefix("L") }.all()
  /// ```
  ///
  /// The condition and its SQL equal those of `"age >= 18 && name BEGINSWITH 'L'"`.
  ///
  /// - Throws: The errors of ``where(_:)-(ObjectCondition)``.
  public func `where`<C: ConditionConvertible>(
    _ condition: (T.Properties) -> C
  ) throws -> Query where T: StoredObject {
    try `where`(condition(T.Properties(origin: .object)).condition)
  }
}

extension ObjectStore {
  /// Returns a query for the objects that match a condition.
  ///
  /// - Throws: The errors of ``Query/where(_:)-(ObjectCondition)``.
  public func `where`(_ condition: ObjectCondition) throws -> Query<T> {
    try query.where(condition)
  }

  /// Returns a query for the objects that match a condition on members that the compiler checks.
  ///
  /// - Throws: The errors of ``Query/where(_:)-(ObjectCondition)``.
  public func `where`<C: ConditionConvertible>(
    _ condition: (T.Properties) -> C
  ) throws -> Query<T> where T: StoredObject {
    try query.where(condition)
  }

  /// Returns the condition checked against the class, without the condition cache.
  func resolve(_ condition: ObjectCondition) throws -> ResolvedCondition {
    try access.resolve(condition)
  }
}

extension StoreAccess {
  /// Returns the condition checked against the class, from the condition cache if possible.
  func asked(_ condition: ObjectCondition) throws -> AskedCondition {
    guard condition.failure == nil, let known = state.conditions.condition(condition.tree) else {
      return .checked(try resolve(condition))
    }
    return try VaultError.mappingConditions {
      let (arguments, named) = try condition.settledArguments(state.converters)
      return try known.asked(of: self, arguments, named, text: condition.text)
    }
  }

  /// Returns the condition checked against the class, without the condition cache.
  func resolve(_ condition: ObjectCondition) throws -> ResolvedCondition {
    if let failure = condition.failure { throw failure }
    return try VaultError.mappingConditions {
      let (arguments, named) = try condition.settledArguments(state.converters)
      return try checker.resolve(
        condition.tree, arguments: arguments, named: named, text: condition.text)
    }
  }
}

extension StoredObject {
  /// Returns a condition on typed members, to be stored and joined with others.
  ///
  /// ```swift
  /// let adults = Student.condition { $0.age >= 18 }
  /// ```
  public static func condition<C: ConditionConvertible>(
    _ condition: (Properties) -> C
  ) -> ObjectCondition {
    condition(Properties(origin: .object)).condition
  }
}
