import ObjectVaultCondition

/// What a vault was asked lately: statements, how often they ran and how long they took, and the
/// indexes that could serve them. No value is among it.
final class QueryNotes: Sendable {
  struct Note: Sendable {
    let statement: String
    let suggestions: [IndexSuggestion]
    /// The properties by which an index would find the objects, for one that answers alone.
    let found: [String]
    let description: ClassDescription
    var count = 0
    var spent = Duration.zero
  }

  /// Of more statements those are forgotten that took least.
  static let capacity = 500

  private let notes = Locked<[String: Note]>([:])

  /// Those of statements that an index could serve.
  var all: [Note] { notes.withLock { Array($0.values) } }

  /// Calls `body`, which asks a query by a statement, and notes how long that takes.
  func noting<R>(
    _ statement: String, _ query: QueryParts, of store: StoreAccess, _ body: () throws -> R
  ) rethrows -> R {
    let begin = ContinuousClock.now
    defer { note(statement, query, of: store, .now - begin) }
    return try body()
  }

  private func note(
    _ statement: String, _ query: QueryParts, of store: StoreAccess, _ spent: Duration
  ) {
    let isKnown = notes.withLock { notes in
      guard var note = notes[statement] else { return false }
      note.count += 1
      note.spent += spent
      notes[statement] = note
      return true
    }
    if isKnown { return }
    let advice = IndexAdvice(
      description: store.state.description, order: query.order, reversesTies: query.reversesTies)
    let condition = store.condition(of: query)?.resolved
    let suggestions = advice.suggestions(for: condition)
    let found = advice.properties(thatFind: condition)
    notes.withLock { notes in
      if notes.count >= Self.capacity,
        let least = notes.min(by: { $0.value.spent < $1.value.spent })
      {
        notes[least.key] = nil
      }
      notes[statement] = Note(
        statement: statement, suggestions: suggestions, found: found,
        description: store.state.description, count: 1, spent: spent)
    }
  }
}
