import ObjectVaultCondition

extension Query {
  /// The objects for which the condition holds, too.
  ///
  /// - Throws: ``VaultError``: `.invalidCondition`, `.noSuchProperty` for a name that the class does
  ///   not have, `.invalidValue` for a value that no property could have.
  public func `where`(_ condition: ObjectCondition) throws -> Query {
    try adding(store.access.asked(condition))
  }

  /// The objects for which the condition holds, too, in members that the compiler checks.
  ///
  /// ```swift
  /// try students.where { $0.age >= 18 && $0.name.hasPrefix("L") }.all()
  /// ```
  ///
  /// It becomes the same condition, and the same SQL, as `"age >= 18 && name BEGINSWITH 'L'"`.
  ///
  /// - Throws: as ``where(_:)-(ObjectCondition)``.
  public func `where`<C: ConditionConvertible>(
    _ condition: (T.Properties) -> C
  ) throws -> Query where T: StoredObject {
    try `where`(condition(T.Properties(origin: .object)).condition)
  }
}

extension ObjectStore {
  /// The objects for which the condition holds.
  ///
  /// - Throws: as ``Query/where(_:)-(ObjectCondition)``.
  public func `where`(_ condition: ObjectCondition) throws -> Query<T> {
    try query.where(condition)
  }

  /// The objects for which the condition holds, in members that the compiler checks.
  ///
  /// - Throws: as ``Query/where(_:)-(ObjectCondition)``.
  public func `where`<C: ConditionConvertible>(
    _ condition: (T.Properties) -> C
  ) throws -> Query<T> where T: StoredObject {
    try query.where(condition)
  }

  /// The condition checked against the class, whatever is known of it.
  func resolve(_ condition: ObjectCondition) throws -> ResolvedCondition {
    try access.resolve(condition)
  }
}

extension StoreAccess {
  /// The condition checked against the class.
  func asked(_ condition: ObjectCondition) throws -> AskedCondition {
    guard condition.failure == nil, let known = state.conditions.condition(condition.tree) else {
      return .checked(try resolve(condition))
    }
    return try VaultError.mappingConditions {
      let (arguments, named) = try condition.settledArguments(state.converters)
      return try known.asked(of: self, arguments, named, text: condition.text)
    }
  }

  /// The condition checked against the class, whatever is known of it.
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
  /// The condition that typed members make, to be kept and joined with others.
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
