import Foundation
import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

/// The history of a file as one snapshot has it.
struct HistoryReader {
  private let session: Session

  init(on session: Session) { self.session = session }

  private var isPresent: Bool {
    get throws { try Schema(on: session).hasTable(ChangeHistory.table) }
  }

  /// The number of the last change ever recorded, and that of the oldest one still stored.
  ///
  /// Without stored changes, the second number is that of the next change.
  private func bounds() throws -> (last: Int64, oldest: Int64) {
    guard try isPresent else { return (0, 1) }
    return try session.with(
      "SELECT ifnull((SELECT seq FROM sqlite_sequence WHERE name = '\(ChangeHistory.table)'), 0), "
        + "(SELECT min(\"sequence\") FROM \(ChangeHistory.table))"
    ) { statement in
      guard try statement.step() else { return (0, 1) }
      let last = statement.row.integer(at: 0)
      // The file may contain any number.
      let next = last == .max ? last : last + 1
      return (last, statement.row.isNull(at: 1) ? next : statement.row.integer(at: 1))
    }
  }

  /// Returns the time of a change in seconds, or `nil` if it is not stored.
  private func time(of sequence: Int64) throws -> Double? {
    try session.with("SELECT \"time\" FROM \(ChangeHistory.table) WHERE \"sequence\" = ?1") {
      $0.binder.bind(integer: sequence, at: 0)
      return try $0.step() ? $0.row.real(at: 0) : nil
    }
  }

  func end() throws -> HistoryPosition {
    let last = try bounds().last
    return HistoryPosition(last, seconds: last == 0 ? 0 : try time(of: last) ?? 0)
  }

  /// Returns whether changes of a table are stored, which its class need not record any more.
  func hasChanges(ofTable table: String) throws -> Bool {
    guard try isPresent else { return false }
    return try session.with("SELECT 1 FROM \(ChangeHistory.table) WHERE \"table\" = ?1 LIMIT 1") {
      $0.binder.bind(text: table, at: 0)
      return try $0.step()
    }
  }

  /// Throws `.invalidArgument` if the class of a table has no history.
  func checkHistory(ofTable table: String) throws {
    let description = try SystemTables(session).description(ofTable: table)
    if try description?.options.history == .changes || hasChanges(ofTable: table) { return }
    throw VaultError(
      .invalidArgument,
      "The class of table '\(table)' records no changes. Declare it with `history: .changes`, and "
        + "request its store once.")
  }

  /// Throws `.historyIncomplete` if not every change after the position is stored.
  func check(_ position: HistoryPosition, path: String) throws {
    let (last, oldest) = try bounds()
    func incomplete(_ reason: String) -> VaultError {
      VaultError(
        .historyIncomplete,
        "The history of '\(path)' cannot continue from the position: \(reason). Read all objects "
          + "again, and continue from `historyPosition()`.")
    }
    if position.sequence > last {
      throw incomplete("the file was restored from an older copy, or is another file")
    }
    if oldest > 0, position.sequence < oldest - 1 { throw incomplete("older changes were pruned") }
    // After the change was pruned, a position has no time. A change that is stored was never pruned.
    guard position.sequence > 0, let time = try time(of: position.sequence) else { return }
    if HistoryPosition(position.sequence, seconds: time) != position {
      throw incomplete("the file was restored from an older copy, or is another file")
    }
  }

  func changes(
    since sequence: Int64, _ tables: [String], limit: Int
  ) throws -> ObjectChanges {
    let end = try end()
    guard try isPresent else {
      return ObjectChanges(changes: [], position: end, mayHaveMore: false)
    }
    let names = Dictionary(
      try SystemTables(session).descriptions().map { ($0.table, $0.name) },
      uniquingKeysWith: { first, _ in first })
    let list = SQL.parameters(tables.indices.map { $0 + 2 })
    return try session.with(
      "SELECT \"sequence\", \"time\", \"author\", \"table\", \"objectID\", \"kind\", "
        + "\"properties\" FROM \(ChangeHistory.table) WHERE \"sequence\" > ?1"
        + (tables.isEmpty ? "" : " AND \"table\" IN (\(list))")
        + " ORDER BY \"sequence\" LIMIT ?2"
    ) { statement in
      let binder = statement.binder
      binder.bind(integer: sequence, at: 0)
      binder.bind(integer: Int64(limit), at: 1)
      for (position, table) in tables.enumerated() { binder.bind(text: table, at: position + 2) }
      var changes: [ObjectChange] = []
      while try statement.step() { changes.append(try change(in: statement.row, names)) }
      let isFull = changes.count == limit
      return ObjectChanges(
        changes: changes, position: isFull ? changes[limit - 1].position : end,
        mayHaveMore: isFull)
    }
  }

  private func change(in row: Row, _ names: [String: String]) throws -> ObjectChange {
    let table = row.text(at: 3) ?? ""
    guard let kind = ObjectChange.Kind(rawValue: row.text(at: 5) ?? ""),
      let objectID = objectID(in: row), let properties = properties(in: row)
    else {
      throw VaultError(
        .damaged,
        "A row of the history cannot be read: it was written by a newer version of ObjectVault, or "
          + "changed by hand. Use the newer version, or prune the history.")
    }
    let seconds = row.real(at: 1)
    return ObjectChange(
      position: HistoryPosition(row.integer(at: 0), seconds: seconds),
      date: Date(timeIntervalSince1970: seconds), author: row.text(at: 2),
      className: names[table] ?? table, table: table, kind: kind,
      objectID: objectID.isEmpty ? nil : DynamicObjectID(objectID), properties: properties)
  }

  /// Returns the parts of the object ID, an empty list for none, or `nil` if it is unreadable.
  private func objectID(in row: Row) -> [StoredValue]? {
    switch row.storedValue(at: 4) {
    case .null: []
    case .text(let text): RecordedObjectID.parts(of: text)
    case let value: [value]
    }
  }

  private func properties(in row: Row) -> [String]? {
    guard let text = row.text(at: 6) else { return [] }
    guard case .array(let names)? = try? JSONParser.parse(text) else { return nil }
    return names.compactMap { if case .string(let name) = $0 { name } else { nil } }
  }
}
