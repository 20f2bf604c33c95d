import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

/// A record of a vault's statements: executions, durations and indexes that could serve them.
///
/// It contains no values.
final class QueryNotes: Sendable {
  struct Note: Sendable {
    let statement: String
    let suggestions: [IndexSuggestion]
    /// The properties by which a covering index would find the objects.
    let found: [String]
    let description: ClassDescription
    var count = 0
    var spent = Duration.zero
  }

  /// The greatest number of statements; beyond it, the fastest one is removed.
  static let capacity = 500

  private let notes = Locked<[String: Note]>([:])

  /// All recorded statements.
  var all: [Note] { notes.withLock { Array($0.values) } }

  /// Calls `body`, which runs a statement of a query, and records its duration.
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
      description: store.table.description, order: query.order, reversesTies: query.reversesTies,
      isLimited: query.length != nil, collated: store.table.sql.queried.own)
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
        description: store.table.description, count: 1, spent: spent)
    }
  }
}
