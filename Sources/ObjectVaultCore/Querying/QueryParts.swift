import ObjectVaultCondition

/// What a query asks for. Queries that are made of one another share it, and copying one is cheap.
@usableFromInline
final class QueryParts: Sendable {
  let condition: AskedCondition?
  let order: [SortKey]
  /// Whether objects equal in all keys come last inserted first.
  let reversesTies: Bool
  let offset: Int
  let length: Int?
  /// What is searched for; the objects have all of it.
  let searches: [WordSearch]
  /// Conditions written as SQL; the objects meet all of them.
  let fragments: [SQLStatement]
  /// Whether it asks for nothing but its condition and a range.
  let asksConditionAlone: Bool

  /// Which of the objects that it finds it gives.
  var limit: LimitClause { LimitClause(offset: offset, length: length) }

  init(
    condition: AskedCondition? = nil, order: [SortKey] = [], reversesTies: Bool = false,
    offset: Int = 0, length: Int? = nil, searches: [WordSearch] = [],
    fragments: [SQLStatement] = []
  ) {
    self.condition = condition
    self.order = order
    self.reversesTies = reversesTies
    self.offset = offset
    self.length = length
    self.searches = searches
    self.fragments = fragments
    asksConditionAlone =
      order.isEmpty && !reversesTies && searches.isEmpty && fragments.isEmpty
  }

  /// Every object, in the order of insertion.
  @usableFromInline static let none = QueryParts()

  /// The same with another condition.
  func with(_ condition: AskedCondition?) -> QueryParts {
    QueryParts(
      condition: condition, order: order, reversesTies: reversesTies, offset: offset,
      length: length, searches: searches, fragments: fragments)
  }

  /// The same with a condition that must hold, too.
  func adding(_ added: AskedCondition) throws(VaultError) -> QueryParts {
    guard let condition else { return with(added) }
    return with(.checked(try .joining(condition.resolved, added.resolved)))
  }

  /// The same in another order.
  func sorted(by order: [SortKey], reversingTies reversesTies: Bool = false) -> QueryParts {
    QueryParts(
      condition: condition, order: order, reversesTies: reversesTies, offset: offset,
      length: length, searches: searches, fragments: fragments)
  }

  /// Another part of the objects.
  func range(offset: Int, length: Int?) -> QueryParts {
    QueryParts(
      condition: condition, order: order, reversesTies: reversesTies, offset: offset,
      length: length, searches: searches, fragments: fragments)
  }

  /// The same with searches and conditions written as SQL besides.
  func adding(searches: [WordSearch] = [], fragments: [SQLStatement] = []) -> QueryParts {
    QueryParts(
      condition: condition, order: order, reversesTies: reversesTies, offset: offset,
      length: length, searches: self.searches + searches, fragments: self.fragments + fragments)
  }
}

extension Query {
  var condition: AskedCondition? { parts.condition }
  var order: [SortKey] { parts.order }
  /// Whether objects equal in all keys come last inserted first.
  var reversesTies: Bool { parts.reversesTies }
  var offset: Int { parts.offset }
  var length: Int? { parts.length }
  /// What is searched for; the objects have all of it.
  var searches: [WordSearch] { parts.searches }
  /// Conditions written as SQL; the objects meet all of them.
  var fragments: [SQLStatement] { parts.fragments }

  /// What the objects meet: the condition of the query, and that of the partition that is asked.
  var wholeCondition: AskedCondition? { store.access.condition(of: parts) }
}

extension StoreAccess {
  /// What the objects of a query meet: its condition, and that of the partition. The two are kept apart
  /// until here, so that nothing that is done to the first one can touch the other.
  func condition(of parts: QueryParts) -> AskedCondition? {
    guard let limit = partition?.condition else { return parts.condition }
    return .checked(parts.condition.map { .all([limit, $0.resolved]) } ?? limit)
  }
}
