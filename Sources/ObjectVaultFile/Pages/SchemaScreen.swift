import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultKeys
import ObjectVaultModel

/// The rules for the definitions of tables, indexes, views and triggers in a file of unknown
/// origin.
///
/// The engine compiles the text of every definition when it first uses a file, and old engines do
/// so without checks: on SQLCipher 3.4.1, a stored `CREATE TABLE … AS SELECT` terminates the
/// process. The list of tables is therefore read from the pages themselves and checked first.
package enum SchemaScreen {
  /// Returns the reason that a definition is rejected, or `nil` for a definition that a `CREATE`
  /// statement could have stored.
  ///
  /// SQLite stores such a text in one form: `CREATE`, the kind, the name without a schema, the rest
  /// of the statement.
  ///
  /// - Parameters:
  ///   - type: The kind of object: `table`, `index`, `view` or `trigger`.
  ///   - name: The object's name.
  ///   - sql: The definition, or `nil` for an automatic index of the engine.
  /// - Returns: The end of an error message.
  package static func refusal(type: String, name: String, sql: String?) -> String? {
    guard let sql else {
      return type == "index" ? nil : "it has no definition"
    }
    let tokens = SQLToken.tokens(of: sql)
    var rest = tokens[...]
    func skip(_ keyword: String) -> Bool {
      guard rest.first?.keyword == keyword else { return false }
      rest.removeFirst()
      return true
    }
    guard skip("create") else { return "its definition is not a CREATE statement" }
    let isVirtual = type == "table" && skip("virtual")
    if type == "index" { _ = skip("unique") }
    guard ["table", "index", "view", "trigger"].contains(type), skip(type) else {
      return "its definition creates another kind of object"
    }
    guard let stored = rest.first?.name, stored.asciiLowercased == name.asciiLowercased else {
      return "its definition creates an object with another name"
    }
    rest.removeFirst()
    // Further statements would not run, but no statement of the engine stores them there.
    if type != "trigger", rest.contains(where: { $0.text == ";" }) {
      return "its definition contains more than one statement"
    }
    let next = rest.first
    switch type {
    case "table" where isVirtual: return next?.keyword == "using" ? nil : "its module is missing"
    case "table": return next?.text == "(" ? nil : "its definition names no columns"
    case "index": return next?.keyword == "on" ? nil : "its definition names no table"
    case "trigger": return rest.last?.keyword == "end" ? nil : "its definition has no end"
    default: return next == nil ? "its definition has no query" : nil
    }
  }

  /// Returns the module of a virtual table, or `nil` for other definitions.
  package static func module(of sql: String) -> String? {
    let tokens = SQLToken.tokens(of: sql)
    guard tokens.count > 4, tokens[1].keyword == "virtual", tokens[4].keyword == "using" else {
      return nil
    }
    return tokens.count > 5 ? tokens[5].name?.asciiLowercased : nil
  }

  /// The state of a file's list of tables.
  enum Finding {
    case sound
    /// A part of the list cannot be read.
    case damaged
    /// An object with an unacceptable definition, and the reason.
    case rejected(name: String, reason: String)
  }

  /// Returns the result of reading the list of tables, which begins on page 1, and checking every
  /// definition.
  static func finding(in pages: StoredPages) throws -> Finding {
    // An empty file has no list yet.
    if pages.fileSize == 0, pages.overlay == nil { return .sound }
    // The engine uses the page size and the reserved bytes of the header.
    guard pages.header != nil else { return .damaged }
    var rejected: Finding?
    var isWhole = true
    let scan = try TreeScan(pages: pages, root: 1, isTable: true) { row in
      guard let values = row.record?.values, !values.contains(.lost) else {
        isWhole = false
        return
      }
      if rejected == nil { rejected = finding(of: values, pages.encoding) }
    }
    if let rejected { return rejected }
    return isWhole && scan.gaps.isEmpty ? .sound : .damaged
  }

  /// Returns the problem of a row of the list, or `nil` for an acceptable row.
  private static func finding(of values: [RecordValue], _ encoding: TextEncoding) -> Finding? {
    func text(_ index: Int) -> String? {
      guard values.indices.contains(index), case .text(let bytes) = values[index] else {
        return nil
      }
      return encoding.text(bytes)
    }
    guard values.count == 5, let type = text(0), let name = text(1) else {
      return .rejected(name: text(1) ?? "", reason: "its row in the schema table is malformed")
    }
    guard values[4] == .null || text(4) != nil else {
      return .rejected(name: name, reason: "its definition is not text")
    }
    return refusal(type: type, name: name, sql: text(4)).map { .rejected(name: name, reason: $0) }
  }
}

extension FileEncryption {
  /// The number of attempts to read a list that seems damaged: a checkpoint may be writing it.
  private static let attempts = 5

  /// Checks the definitions of tables, indexes, views and triggers before the engine reads them.
  ///
  /// A rollback journal that a program left next to the file is rolled back by the engine first,
  /// because only the engine determines which pages it restores.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - held: The open file.
  ///   - mayWrite: Whether a journal next to the file may be rolled back.
  ///   - busyTimeout: The time to wait for another process, in milliseconds.
  /// - Throws: ``VaultError``: `.engineRefused` with the name of an object whose definition is
  ///   rejected, `.damaged` if the list of tables cannot be read completely or the log belongs to
  ///   another file; the errors of opening a connection, such as ``DriverError/Code/readOnly`` if a
  ///   journal cannot be rolled back.
  package func screenSchema(
    of path: String, held: HeldFile, mayWrite: Bool, busyTimeout: Int32
  ) throws {
    try checkLog(of: path, held: held)
    var lock: Connection?
    defer { try? lock?.close() }
    do {
      // Without a journal, a connection could leave an empty log next to the file.
      if LeftoverFile.hasContent(path + "-journal") {
        lock = try readLock(path, mayWrite: mayWrite, busyTimeout: busyTimeout)
      }
    } catch let error as DriverError where ![.busy, .locked].contains(error.code) {
      // The engine does not read the file, but the definitions decide what is reported.
      let pages = try pages(of: path, held: held, usesJournal: true)
      if case .rejected(let name, let reason) = try SchemaScreen.finding(in: pages) {
        throw Self.refusal(of: path, name: name, reason: reason)
      }
      throw error
    }
    try cipher?.checkHeader(of: path, held: held, usesJournal: false)
    // An unencrypted file may have got another header.
    let isUnencrypted = cipher == nil && held.size > 0
    let settled = isUnencrypted ? try FileEncryption(inClear: path, held: held) : self
    for attempt in 1... {
      let pages = try settled.pages(of: path, held: held, usesJournal: false)
      switch try SchemaScreen.finding(in: pages) {
      case .sound: return
      case .rejected(let name, let reason):
        throw Self.refusal(of: path, name: name, reason: reason)
      case .damaged where attempt < Self.attempts: usleep(5_000)
      case .damaged:
        throw VaultError(
          .damaged,
          "The schema table of '\(path)' is damaged. Restore the file from a backup, or `salvage` "
            + "what can be read.")
      }
    }
  }

  private static func refusal(of path: String, name: String, reason: String) -> VaultError {
    VaultError(
      .engineRefused,
      "'\(path)' was not opened: the schema entry '\(name)' is not one that SQLite creates, "
        + "because \(reason). The file may be malicious. Use `salvage` to copy its rows into a "
        + "new file.")
  }

  /// Returns a connection that holds a read lock and has read no definition.
  private func readLock(
    _ path: String, mayWrite: Bool, busyTimeout: Int32
  ) throws -> Connection {
    var options = ConnectionOptions()
    options.onlyLocks = true
    options.busyTimeout = busyTimeout
    options.walAutocheckpoint = 0
    return try connect(path, mayWrite ? .readWrite : .readOnly, options: options)
  }
}
