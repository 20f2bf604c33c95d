import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

/// The immutable parts of a query, which derived queries share; copying a query is fast.
@usableFromInline
final class QueryParts: Sendable {
  let condition: QueryCondition?
  let offset: Int
  let length: Int?
  private let rest: Rest

  /// The parts that few queries use.
  private struct Extras {
    var order: [SortKey] = []
    var reversesTies = false
    var searches: [WordSearch] = []
    var fragments: [SQLStatement] = []

    var isNothing: Bool {
      order.isEmpty && !reversesTies && searches.isEmpty && fragments.isEmpty
    }
  }

  /// Stored indirectly, so that queries without extras are faster to create and release.
  private indirect enum Rest {
    case nothing
    case extras(Extras)
    case failure(any Error)
  }

  private init(condition: QueryCondition?, offset: Int, length: Int?, rest: Rest) {
    self.condition = condition
    self.offset = offset
    self.length = length
    self.rest = rest
  }

  convenience init(condition: QueryCondition? = nil) {
    self.init(condition: condition, offset: 0, length: nil, rest: .nothing)
  }

  /// The parts of a query for all objects, in insertion order.
  @usableFromInline static let none = QueryParts()

  /// Whether the query has nothing but a condition and a range.
  var asksConditionAlone: Bool {
    if case .nothing = rest { true } else { false }
  }

  /// Whether the query selects all objects, in insertion order.
  var asksForAll: Bool { asksConditionAlone && condition == nil && limit.isWhole }

  private var extras: Extras {
    if case .extras(let extras) = rest { extras } else { Extras() }
  }

  /// The error of the first step that failed, which the operations of the query throw.
  var failure: (any Error)? {
    if case .failure(let error) = rest { error } else { nil }
  }

  /// Throws that error, if there is one.
  func checkSteps() throws {
    if let failure { throw failure }
  }

  var order: [SortKey] { extras.order }
  /// Whether objects that are equal in all keys are in reverse insertion order.
  var reversesTies: Bool { extras.reversesTies }
  /// The full-text searches; the objects match all of them.
  var searches: [WordSearch] { extras.searches }
  /// The conditions written as SQL; the objects match all of them.
  var fragments: [SQLStatement] { extras.fragments }

  /// The limit clause of the range.
  var limit: LimitClause { LimitClause(offset: offset, length: length) }

  /// Returns the parts with an additional condition.
  func adding(_ added: QueryCondition) throws(VaultError) -> QueryParts {
    guard let condition else { return with(added) }
    return with(.checked(try .joining(condition.resolved, added.resolved)))
  }

  /// Returns the parts with another condition.
  func with(_ condition: QueryCondition?) -> QueryParts {
    QueryParts(condition: condition, offset: offset, length: length, rest: rest)
  }

  /// Returns the parts with another range.
  func range(offset: Int, length: Int?) -> QueryParts {
    QueryParts(condition: condition, offset: offset, length: length, rest: rest)
  }

  /// Returns the parts with another order.
  func sorted(by order: [SortKey], reversingTies reversesTies: Bool = false) -> QueryParts {
    changing { extras in
      extras.order = order
      extras.reversesTies = reversesTies
    }
  }

  /// Returns the parts with additional searches and SQL conditions.
  func adding(searches: [WordSearch] = [], fragments: [SQLStatement] = []) -> QueryParts {
    changing { extras in
      extras.searches += searches
      extras.fragments += fragments
    }
  }

  /// Returns the parts of a query whose operations throw an error.
  func failing(_ error: any Error) -> QueryParts {
    QueryParts(condition: nil, offset: 0, length: nil, rest: .failure(error))
  }

  private func changing(_ change: (inout Extras) -> Void) -> QueryParts {
    guard failure == nil else { return self }
    var extras = extras
    change(&extras)
    return QueryParts(
      condition: condition, offset: offset, length: length,
      rest: extras.isNothing ? .nothing : .extras(extras))
  }
}

extension StoreAccess {
  /// Returns the condition of a query combined with the condition of the partition.
  ///
  /// The two are separate until this point, so that no operation on the query's condition can
  /// affect the partition's.
  func condition(of parts: QueryParts) -> QueryCondition? {
    guard let limit = partition?.condition else { return parts.condition }
    return .checked(parts.condition.map { .all([limit, $0.resolved]) } ?? limit)
  }
}
