import ObjectVaultCondition

// Queries of one store put together: what they ask for is combined, and the order is that of the
// query that the others are added to.

extension Query {
  /// The objects that this query and another one both choose, in the order of this one.
  ///
  /// - Parameter other: A query of the same store without an order.
  /// - Throws: ``VaultError``: `.invalidArgument` where either has a range, which chooses objects by
  ///   their places and not by a condition, where the other one has an order, or is of another
  ///   store; `.invalidCondition` where the condition would be nested too deep.
  public func and(_ other: Query) throws -> Query {
    try combined(with: other) { mine, others in
      guard let mine, let others else { return mine ?? others }
      return .all([mine, others])
    }
  }

  /// The objects that this query or another one chooses, each once, in the order of this one.
  ///
  /// - Parameter other: A query of the same store without an order.
  /// - Throws: as ``and(_:)``.
  public func or(_ other: Query) throws -> Query {
    try checkHasNoSearch()
    try other.checkHasNoSearch()
    return try combined(with: other) { mine, others in
      guard let mine, let others else { return nil }
      return .any([mine, others])
    }
  }

  /// The objects of the store that this query does not choose, in its order.
  ///
  /// - Throws: as ``and(_:)``.
  public func not() throws -> Query {
    try checkIsWhole()
    try checkHasNoSearch()
    var query = self
    query.condition =
      switch condition {
      case .none: .constant(false)
      case .not(let term): term
      case .some(let condition): .not(condition)
      }
    return try query.checkingDepth()
  }

  private func combined(
    with other: Query, _ combine: (ResolvedCondition?, ResolvedCondition?) -> ResolvedCondition?
  ) throws -> Query {
    guard store.state === other.store.state else {
      throw VaultError(
        .invalidArgument,
        "The two queries are of different stores. Only queries of one store of one vault can be "
          + "combined.")
    }
    try checkIsWhole()
    try other.checkIsWhole()
    guard other.order.isEmpty, !other.reversesTies else {
      throw VaultError(
        .invalidArgument,
        "The query that is added has an order, which would be lost. Sort the query that it is "
          + "added to, or the result.")
    }
    var query = self
    query.condition = combine(condition, other.condition)
    return try query.adding(other.searches).checkingDepth()
  }

  private func checkIsWhole() throws(VaultError) {
    guard offset == 0, length == nil else {
      throw VaultError(
        .invalidArgument,
        "A query with a range cannot be combined with others: its objects are chosen by their "
          + "places, not by a condition. Give the range to the result.")
    }
  }

  private func checkingDepth() throws(VaultError) -> Query {
    // What is nested without bound could not be walked.
    if condition?.isDeeper(than: 400) == true {
      throw VaultError(
        .invalidCondition,
        "The queries put together are nested more than 400 deep. Combine many by one `and` or one "
          + "`or` after another.")
    }
    return self
  }
}

extension ResolvedCondition {
  /// The condition that all of them hold; one directly inside another is no nesting.
  static func all(_ terms: [ResolvedCondition]) -> ResolvedCondition {
    .and(
      terms.flatMap { term in
        if case .and(let inner) = term { inner } else { [term] }
      })
  }

  /// The condition that one of them holds.
  static func any(_ terms: [ResolvedCondition]) -> ResolvedCondition {
    .or(
      terms.flatMap { term in
        if case .or(let inner) = term { inner } else { [term] }
      })
  }

  /// Whether conditions stand in one another more than `limit` deep.
  func isDeeper(than limit: Int) -> Bool {
    switch self {
    case .and(let terms), .or(let terms):
      limit < 1 || terms.contains { $0.isDeeper(than: limit - 1) }
    case .not(let term): limit < 1 || term.isDeeper(than: limit - 1)
    default: limit < 0
    }
  }
}
