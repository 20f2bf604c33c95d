import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

/// An index that would serve recorded queries of a vault and that its class lacks.
///
/// ```swift
/// for advised in try vault.advisedIndexes() {
///   print(advised.suggestion.declaration, advised.duration)
/// }
/// ```
public struct AdvisedIndex: Sendable, Hashable {
  /// The class, the index and its declaration.
  public var suggestion: IndexSuggestion
  /// Whether the index is covering for some of the queries, so that they do not read the table.
  ///
  /// Such queries read few properties, for example counts and means.
  public var isCovering: Bool
  /// The number of executions of queries that the index would serve.
  public var queryCount: Int
  /// The total duration of these executions.
  public var duration: Duration
  /// The statements of the queries, slowest first, with `?` for every value.
  public var statements: [String]
}

extension Database {
  /// Returns the indexes that would serve the recorded queries of this handle, slowest queries
  /// first.
  ///
  /// The result considers only queries that still read a whole table or sort in memory. An index
  /// also represents shorter indexes that are a prefix of it. The result does not include the cost
  /// of an index at each write: if it lists several, create only those that are worth it.
  ///
  /// - Throws: ``VaultError`` `.invalidArgument` if the handle records no queries: see
  ///   ``VaultConfiguration/queryStatistics``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func advisedIndexes() throws -> [AdvisedIndex] {
    guard let queryNotes = handle.queryNotes else {
      throw VaultError(
        .invalidArgument,
        "The vault '\(handle.location)' does not record queries. Set 'queryStatistics' to '.on' in "
          + "its configuration, use the vault, and try again.")
    }
    let notes = queryNotes.all.filter { !$0.suggestions.isEmpty || !$0.found.isEmpty }
      .sorted { $0.spent > $1.spent }
    guard !notes.isEmpty else { return [] }
    var advised: [AdvisedIndex] = []
    try opened().read { session in
      for note in notes {
        // A statement that is invalid for the current file needs no index.
        guard let columns = try? session.columnsReadCostly(by: note.statement) else { continue }
        let advice = IndexAdvice(description: note.description, order: [], reversesTies: false)
        if let covering = advice.covering(note.found, reading: columns) {
          advised.add(covering, note, isCovering: true)
        } else {
          for suggestion in note.suggestions { advised.add(suggestion, note) }
        }
      }
    }
    return advised.withoutBeginnings.sorted { $0.duration > $1.duration }
  }
}

extension Session {
  /// Returns the columns, in lower case, of a statement that scans a table or sorts; else `nil`.
  fileprivate func columnsReadCostly(by statement: String) throws -> Set<String>? {
    var columns: Set<String> = []
    return try connection.notingReadColumns({ columns.insert($0.asciiLowercased) }) {
      try Schema(on: self).fresh("EXPLAIN QUERY PLAN \(statement)") { plan in
        while try plan.step() {
          let step = plan.row.text(at: 3) ?? ""
          // The plan also scans subquery results, which are not tables.
          let isOfTable = !["SCAN ov_groups", "SCAN SUBQUERY"].contains(where: step.hasPrefix)
          if step.hasPrefix("SCAN ") && isOfTable || step.hasPrefix("USE TEMP B-TREE") {
            return columns
          }
        }
        return nil
      }
    }
  }
}

extension [AdvisedIndex] {
  fileprivate mutating func add(
    _ suggestion: IndexSuggestion, _ note: QueryNotes.Note, isCovering: Bool = false
  ) {
    guard let place = firstIndex(where: { $0.suggestion == suggestion }) else {
      append(
        AdvisedIndex(
          suggestion: suggestion, isCovering: isCovering, queryCount: note.count,
          duration: note.spent, statements: [note.statement]))
      return
    }
    self[place].isCovering = self[place].isCovering || isCovering
    self[place].queryCount += note.count
    self[place].duration += note.spent
    self[place].statements.append(note.statement)
  }

  /// The indexes without those that are a prefix of another index of the same class.
  fileprivate var withoutBeginnings: [AdvisedIndex] {
    var kept: [AdvisedIndex] = []
    let longestFirst = sorted {
      $0.suggestion.index.properties.count > $1.suggestion.index.properties.count
    }
    for advised in longestFirst {
      let place = kept.firstIndex { other in
        other.suggestion.className == advised.suggestion.className
          && other.suggestion.index.properties.starts(with: advised.suggestion.index.properties)
      }
      guard let place else {
        kept.append(advised)
        continue
      }
      kept[place].isCovering = kept[place].isCovering || advised.isCovering
      kept[place].queryCount += advised.queryCount
      kept[place].duration += advised.duration
      kept[place].statements += advised.statements
    }
    return kept
  }
}
