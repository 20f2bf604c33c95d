import ObjectVaultEngine

/// An index that would serve queries which a vault was asked, and that no class has.
public struct AdvisedIndex: Sendable, Hashable {
  /// The class and the index, and how it is declared.
  public var suggestion: IndexSuggestion
  /// Whether the index alone answers some of the queries, so that the table is not read for them:
  /// those that read few of the properties, such as counts and means.
  public var isCovering: Bool
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
    let notes = queryNotes.all.filter { !$0.suggestions.isEmpty || !$0.found.isEmpty }
      .sorted { $0.spent > $1.spent }
    guard !notes.isEmpty else { return [] }
    var advised: [AdvisedIndex] = []
    try file().read { connection in
      for note in notes {
        // A statement that the file as it is now does not know needs no index.
        guard let columns = try? connection.columnsReadCostly(by: note.statement) else { continue }
        let advice = IndexAdvice(description: note.description, order: [], reversesTies: false)
        if let covering = advice.covering(note.found, reading: columns) {
          advised.add(covering, note, isCovering: true)
        } else {
          for suggestion in note.suggestions { advised.add(suggestion, note) }
        }
      }
    }
    return advised.withoutBeginnings.sorted { $0.seconds > $1.seconds }
  }
}

extension VaultConnection {
  /// The columns that a statement reads, in lower case, where the engine reads a whole table for it or
  /// sorts what it read; `nil` for others.
  fileprivate func columnsReadCostly(by statement: String) throws -> Set<String>? {
    var columns: Set<String> = []
    let outer = engine.onAuthorize
    defer { engine.onAuthorize = outer }
    engine.onAuthorize = { action in
      if action.isRead, action.schema == "main", let column = action.detail {
        columns.insert(column.asciiLowercased)
      }
      return outer?(action) ?? .allow
    }
    return try Schema(on: self).fresh("EXPLAIN QUERY PLAN \(statement)") { plan in
      while try plan.step() {
        let step = plan.row.text(at: 3) ?? ""
        // What a subquery gave is gone over, too; it stands for no table.
        let isOfTable = !["SCAN ov_groups", "SCAN SUBQUERY"].contains(where: step.hasPrefix)
        if step.hasPrefix("SCAN ") && isOfTable || step.hasPrefix("USE TEMP B-TREE") {
          return columns
        }
      }
      return nil
    }
  }
}

extension [AdvisedIndex] {
  fileprivate mutating func add(
    _ suggestion: IndexSuggestion, _ note: QueryNotes.Note, isCovering: Bool = false
  ) {
    let seconds = note.spent / .seconds(1)
    guard let place = firstIndex(where: { $0.suggestion == suggestion }) else {
      append(
        AdvisedIndex(
          suggestion: suggestion, isCovering: isCovering, queryCount: note.count,
          seconds: seconds, statements: [note.statement]))
      return
    }
    self[place].isCovering = self[place].isCovering || isCovering
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
      kept[place].isCovering = kept[place].isCovering || advised.isCovering
      kept[place].queryCount += advised.queryCount
      kept[place].seconds += advised.seconds
      kept[place].statements += advised.statements
    }
    return kept
  }
}
