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
    try checkIsConditionOnly()
    try other.checkIsConditionOnly()
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
    try checkIsConditionOnly()
    let opposite: ResolvedCondition =
      switch condition?.resolved {
      case .none: .constant(false)
      case .not(let term): term
      case .some(let condition): try .not(condition).checked()
      }
    return Query(store: store, parts: parts.with(.checked(opposite)))
  }

  private func combined(
    with other: Query, _ combine: (ResolvedCondition?, ResolvedCondition?) -> ResolvedCondition?
  ) throws -> Query {
    guard store.state === other.store.state, store.isLimited(as: other.store) else {
      throw VaultError(
        .invalidArgument,
        "The two queries are of different stores, or partitions. Only queries of one store of one "
          + "vault can be combined.")
    }
    try checkIsWhole()
    try other.checkIsWhole()
    guard other.order.isEmpty, !other.reversesTies else {
      throw VaultError(
        .invalidArgument,
        "The query that is added has an order, which would be lost. Sort the query that it is "
          + "added to, or the result.")
    }
    let condition = try combine(condition?.resolved, other.condition?.resolved)
      .map { AskedCondition.checked(try $0.checked()) }
    let query = Query(
      store: store, parts: parts.with(condition).adding(fragments: other.fragments))
    try query.checkFragments()
    return try query.adding(other.searches)
  }

  private func checkIsConditionOnly() throws(VaultError) {
    try checkHasNoSearch()
    try checkHasNoFragment()
  }

  private func checkIsWhole() throws(VaultError) {
    guard offset == 0, length == nil else {
      throw VaultError(
        .invalidArgument,
        "A query with a range cannot be combined with others: its objects are chosen by their "
          + "places, not by a condition. Give the range to the result.")
    }
  }
}
