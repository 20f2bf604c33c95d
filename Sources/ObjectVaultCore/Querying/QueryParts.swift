import ObjectVaultCondition

/// What a query asks for. Queries that are made of one another share it, and copying one is cheap.
@usableFromInline
final class QueryParts: Sendable {
  let condition: AskedCondition?
  let offset: Int
  let length: Int?
  private let rest: Rest

  /// What few queries ask for.
  private struct Extras {
    var order: [SortKey] = []
    var reversesTies = false
    var searches: [WordSearch] = []
    var fragments: [SQLStatement] = []

    var isNothing: Bool {
      order.isEmpty && !reversesTies && searches.isEmpty && fragments.isEmpty
    }
  }

  /// Kept apart, so that the other queries are made and forgotten sooner.
  private indirect enum Rest {
    case nothing
    case extras(Extras)
  }

  private init(condition: AskedCondition?, offset: Int, length: Int?, rest: Rest) {
    self.condition = condition
    self.offset = offset
    self.length = length
    self.rest = rest
  }

  convenience init(condition: AskedCondition? = nil) {
    self.init(condition: condition, offset: 0, length: nil, rest: .nothing)
  }

  /// Every object, in the order of insertion.
  @usableFromInline static let none = QueryParts()

  /// Whether it asks for nothing but its condition and a range.
  var asksConditionAlone: Bool {
    if case .nothing = rest { true } else { false }
  }

  /// Whether it asks for every object, in the order of insertion.
  var asksForAll: Bool { asksConditionAlone && condition == nil && limit.isWhole }

  private var extras: Extras {
    if case .extras(let extras) = rest { extras } else { Extras() }
  }

  var order: [SortKey] { extras.order }
  /// Whether objects equal in all keys come last inserted first.
  var reversesTies: Bool { extras.reversesTies }
  /// What is searched for; the objects have all of it.
  var searches: [WordSearch] { extras.searches }
  /// Conditions written as SQL; the objects meet all of them.
  var fragments: [SQLStatement] { extras.fragments }

  /// Which of the objects that it finds it gives.
  var limit: LimitClause { LimitClause(offset: offset, length: length) }

  /// The same with a condition that must hold, too.
  func adding(_ added: AskedCondition) throws(VaultError) -> QueryParts {
    guard let condition else { return with(added) }
    return with(.checked(try .joining(condition.resolved, added.resolved)))
  }

  /// The same with another condition.
  func with(_ condition: AskedCondition?) -> QueryParts {
    QueryParts(condition: condition, offset: offset, length: length, rest: rest)
  }

  /// Another part of the objects.
  func range(offset: Int, length: Int?) -> QueryParts {
    QueryParts(condition: condition, offset: offset, length: length, rest: rest)
  }

  /// The same in another order.
  func sorted(by order: [SortKey], reversingTies reversesTies: Bool = false) -> QueryParts {
    changing { extras in
      extras.order = order
      extras.reversesTies = reversesTies
    }
  }

  /// The same with searches and conditions written as SQL besides.
  func adding(searches: [WordSearch] = [], fragments: [SQLStatement] = []) -> QueryParts {
    changing { extras in
      extras.searches += searches
      extras.fragments += fragments
    }
  }

  private func changing(_ change: (inout Extras) -> Void) -> QueryParts {
    var extras = extras
    change(&extras)
    return QueryParts(
      condition: condition, offset: offset, length: length,
      rest: extras.isNothing ? .nothing : .extras(extras))
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
