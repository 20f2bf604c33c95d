import Foundation
import ObjectVaultDriver
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
  /// - Throws: ``VaultError``: `.engineRefused` with the name of an object whose definition is
  ///   rejected, `.damaged` if the list of tables cannot be read completely.
  package func screenSchema(of path: String, held: HeldFile) throws {
    for attempt in 1... {
      switch try finding(path, held) {
      case .sound: return
      case .rejected(let name, let reason):
        throw VaultError(
          .engineRefused,
          "'\(path)' was not opened: the schema entry '\(name)' is not one that SQLite creates, "
            + "because \(reason). The file may be malicious. Use `salvage` to copy its rows into a "
            + "new file.")
      case .damaged where attempt < Self.attempts: usleep(5_000)
      case .damaged:
        throw VaultError(
          .damaged,
          "The schema table of '\(path)' is damaged. Restore the file from a backup, or `salvage` "
            + "what can be read.")
      }
    }
  }

  /// Returns the state of the list of tables, with and without the pages of a rollback journal.
  ///
  /// The locks of other processes determine which of them the engine will read.
  private func finding(_ path: String, _ held: HeldFile) throws -> SchemaScreen.Finding {
    let pages = try pages(of: path, held: held, usesJournal: true)
    let finding = try SchemaScreen.finding(in: pages)
    guard case .sound = finding, pages.overlay?.kind == .rollbackJournal else { return finding }
    let present = try SchemaScreen.finding(
      in: self.pages(of: path, held: held, usesJournal: false))
    // Pages that the journal undoes may be half written, so only a rejection counts here.
    if case .rejected = present { return present }
    return finding
  }
}
