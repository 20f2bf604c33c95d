import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

// Combinations of queries of one store. The result has the order of the receiver.

extension Query {
  /// Returns the objects that match both queries, in the order of this query.
  ///
  /// - Parameter other: A query of the same store without an order.
  /// - Returns: The combined query.
  /// - Throws: ``VaultError``: `.invalidArgument` if either query has a range, which selects
  ///   objects by position and not by a condition, or if `other` has an order or is of another
  ///   store; `.invalidCondition` if the condition is nested too deeply.
  public func and(_ other: Query) throws -> Query {
    try combined(with: other) { mine, others in
      guard let mine, let others else { return mine ?? others }
      return .all([mine, others])
    }
  }

  /// Returns the objects that match this query or another one, each once, in the order of this
  /// query.
  ///
  /// - Parameter other: A query of the same store without an order.
  /// - Returns: The combined query.
  /// - Throws: The errors of ``and(_:)``.
  public func or(_ other: Query) throws -> Query {
    try checkIsConditionOnly()
    try other.checkIsConditionOnly()
    return try combined(with: other) { mine, others in
      guard let mine, let others else { return nil }
      return .any([mine, others])
    }
  }

  /// Returns the objects of the store that do not match this query, in its order.
  ///
  /// - Throws: The errors of ``and(_:)``.
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
        "The two queries are of different stores or partitions. Combine only queries of one store "
          + "of one vault.")
    }
    try checkIsWhole()
    try other.checkIsWhole()
    guard other.order.isEmpty, !other.reversesTies else {
      throw VaultError(
        .invalidArgument,
        "The added query has an order, which would be lost. Sort the other query, or the result.")
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
        "A query with a range cannot be combined with others, because it selects objects by "
          + "position. Apply the range to the result.")
    }
  }
}
