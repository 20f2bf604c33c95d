import ObjectVaultDriver
import ObjectVaultEngine

/// A row-by-row copy of a whole file.
///
/// It is used between an unencrypted and an encrypted file, for another page size, and for a cipher
/// format that reserves more of each page. Pages cannot be copied in any of these cases: with
/// 4.6.1, copying the pages of a file written by 3.4.1 from format 3 to 4 is reported as
/// successful, but the end of every full page is lost.
///
/// These parts are retained: rowids, sequences of AUTOINCREMENT, tables without rowids, indexes,
/// views, triggers (which do not fire), virtual tables (by the tables that hold their contents, so
/// that their module is not required), statistics, encoding, `auto_vacuum`, `user_version` and
/// `application_id`, and rows that violate a CHECK or a reference. The caller sets the journal
/// mode.
struct RowCopy {
  let source: Connection
  let destination: Connection

  /// Creates a copy operation.
  ///
  /// - Parameters:
  ///   - source: The source. A transaction is opened on it unless one is open.
  ///   - destination: A file without contents. An unencrypted one gets the page size of the source.
  init(from source: Connection, to destination: Connection) {
    self.source = source
    self.destination = destination
  }

  /// Copies everything in one transaction of the destination.
  ///
  /// The destination must be reopened afterwards, because its connection does not know everything
  /// that the file contains.
  ///
  /// - Parameter progress: Receives the numbers of copied rows and of all rows, also repeatedly
  ///   without a new row. An error ends the copy.
  /// - Throws: ``VaultError`` `.engineRefused` with the table or index that this engine cannot
  ///   create or fill; any error that the engine reports for the files. The destination has no
  ///   contents then.
  func run(_ progress: (Int, Int) throws -> Void) throws {
    try checkDestinationIsEmpty()
    try settlePages()
    try withoutActuallyEscaping(progress) { progress in
      let count = RowCount(progress)
      try withoutRules {
        try inTransactions {
          try [source, destination].reporting({ try count.report() }) { try copyEverything(count) }
        }
      }
    }
  }

  private func copyEverything(_ count: RowCount) throws {
    let tables = try makeTables()
    for table in tables { count.total += try rows(of: table) }
    try count.report()
    for table in tables { try copyRows(of: table, count) }
    try makeIndexes(count)
    try copyUnreadSchema()
    for setting in ["user_version", "application_id"] {
      let value = try source.pragma(setting) ?? "0"
      try destination.setPragma(setting, to: value, expecting: value)
    }
    try count.report()
  }

  // MARK: Settings

  private func checkDestinationIsEmpty() throws(DriverError) {
    let master = try destination.prepare("SELECT 1 FROM sqlite_master", persistent: false)
    guard try !master.step() else {
      throw DriverError(.misuse, "Rows can be copied only into an empty file.")
    }
  }

  /// Sets the properties that are fixed with a file's first page.
  private func settlePages() throws {
    if destination.cipher == nil, let size = try source.pragma("page_size") {
      try destination.setPragma("page_size", to: size, expecting: size)
    }
    if let encoding = try source.pragma("encoding") {
      // A value with a hyphen would need quotes.
      let word = encoding.filter { $0 != "-" }
      try destination.setPragma("encoding", to: word, expecting: encoding)
    }
    if let mode = try source.pragma("auto_vacuum") {
      try destination.setPragma("auto_vacuum", to: mode, expecting: mode)
    }
    try destination.writeFirstPage()
  }

  /// Runs `body` without the rules that would change or reject rows of the source, and with write
  /// access to the schema table.
  private func withoutRules(_ body: () throws -> Void) throws {
    let before = try destination.pragma("foreign_keys") ?? "0"
    let rules = [
      ("foreign_keys", "0"), ("ignore_check_constraints", "1"), ("writable_schema", "1"),
    ]
    defer {
      for (name, value) in [
        ("foreign_keys", before), ("ignore_check_constraints", "0"), ("writable_schema", "0"),
      ] {
        try? destination.setPragma(name, to: value, expecting: value)
      }
    }
    for (name, value) in rules { try destination.setPragma(name, to: value, expecting: value) }
    try body()
  }

  private func inTransactions(_ body: () throws -> Void) throws {
    let isSourceOurs = !source.isInTransaction
    if isSourceOurs { try source.execute("BEGIN") }
    defer { if isSourceOurs, source.isInTransaction { try? source.execute("ROLLBACK") } }
    try destination.execute("BEGIN IMMEDIATE")
    // If the engine closed or rolled back the transaction itself, none is left to roll back.
    defer { if destination.isInTransaction { try? destination.execute("ROLLBACK") } }
    try body()
    try destination.execute("COMMIT")
  }
}
