import ObjectVaultEngine

/// An index that would serve queries which a vault was asked, and that no class has.
public struct AdvisedIndex: Sendable, Hashable {
  /// The class and the index, and how it is declared.
  public var suggestion: IndexSuggestion
  /// How often queries ran that it would serve.
  public var queryCount: Int
  /// How long they took together, in seconds.
  public var seconds: Double
  /// Their statements, with `?` for every value, those that took longest first.
  public var statements: [String]
}

extension Vault {
  /// The indexes that would serve the queries which this handle was asked until now, those first
  /// whose queries took longest.
  ///
  /// Only queries count for which the engine still reads a whole table or sorts what it read. One
  /// index stands for those that it begins with. What an index costs at each write it does not
  /// say: of several take those that pay.
  ///
  /// - Throws: ``VaultError`` `.invalidArgument` where the handle notes no queries: see
  ///   ``VaultConfiguration/notesQueries``.
  public func advisedIndexes() throws -> [AdvisedIndex] {
    guard let queryNotes else {
      throw VaultError(
        .invalidArgument,
        "The vault '\(path)' notes no queries. Make it with a configuration in which "
          + "'notesQueries' is true, and ask again after it was used.")
    }
    let notes = queryNotes.all.filter { !$0.suggestions.isEmpty }
      .sorted { $0.spent > $1.spent }
    guard !notes.isEmpty else { return [] }
    let costly = try file().read { connection in
      // A statement that the file as it is now does not know needs no index.
      notes.filter { (try? connection.isCostly($0.statement)) ?? false }
    }
    var advised: [AdvisedIndex] = []
    for note in costly {
      for suggestion in note.suggestions { advised.add(suggestion, note) }
    }
    return advised.withoutBeginnings.sorted { $0.seconds > $1.seconds }
  }
}

extension VaultConnection {
  /// Whether the engine reads a whole table for a statement, or sorts what it read.
  fileprivate func isCostly(_ statement: String) throws -> Bool {
    try Schema(on: self).fresh("EXPLAIN QUERY PLAN \(statement)") { plan in
      while try plan.step() {
        let step = plan.row.text(at: 3) ?? ""
        if step.hasPrefix("SCAN ") || step.hasPrefix("USE TEMP B-TREE") { return true }
      }
      return false
    }
  }
}

extension [AdvisedIndex] {
  fileprivate mutating func add(_ suggestion: IndexSuggestion, _ note: QueryNotes.Note) {
    let seconds = note.spent / .seconds(1)
    guard let place = firstIndex(where: { $0.suggestion == suggestion }) else {
      append(
        AdvisedIndex(
          suggestion: suggestion, queryCount: note.count, seconds: seconds,
          statements: [note.statement]))
      return
    }
    self[place].queryCount += note.count
    self[place].seconds += seconds
    self[place].statements.append(note.statement)
  }

  /// Without indexes that others of the same class begin with: those serve their queries, too.
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
      kept[place].queryCount += advised.queryCount
      kept[place].seconds += advised.seconds
      kept[place].statements += advised.statements
    }
    return kept
  }
}
