import ObjectVaultEngine

/// A copy of all that one file holds into another, row by row: between a file in clear and an
/// encrypted one, to pages of another size, to a cipher format that reserves more of each page.
///
/// Pages can be copied for none of that. Measured with 4.6.1: of a file that 3.4.1 filled, a copy of
/// pages from format 3 to 4 is reported as done, and the end of every full page is lost.
///
/// What comes through: rows under their rowids, sequences of AUTOINCREMENT, tables without rowids,
/// indexes, views, triggers (which do not fire), virtual tables (by the tables that hold their
/// contents, so that their module need not be there), statistics, encoding, `auto_vacuum`,
/// `user_version` and `application_id`, and rows that a CHECK or a reference no longer allows. The
/// journal mode is left to the caller.
struct RowCopy {
  let source: Connection
  let destination: Connection

  /// - Parameters:
  ///   - source: What is copied. A transaction is opened on it unless one is open.
  ///   - destination: A file without content. One in clear gets pages of the size of the source's.
  init(from source: Connection, to destination: Connection) {
    self.source = source
    self.destination = destination
  }

  /// Copies everything in one transaction of the destination, which is to be opened anew afterwards:
  /// its connection does not know of all that it holds.
  ///
  /// - Parameter progress: Told how many of how many rows are copied, also while there is no new one.
  ///   What it throws ends the copy.
  /// - Throws: ``VaultError`` `.engineRefused` that names the table or index which this engine cannot
  ///   make or fill, and what the engine reports of the files. The destination is without content
  ///   then.
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

  private func checkDestinationIsEmpty() throws(EngineError) {
    let master = try destination.prepare("SELECT 1 FROM sqlite_master", persistent: false)
    guard try !master.step() else {
      throw EngineError(.misuse, "rows are copied only into a file that holds nothing")
    }
  }

  /// What is laid down with a file's first page.
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
  }

  /// Runs `body` without what would change or refuse rows that the source has, and with the right to
  /// write what tables are made of.
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
    // Closed or rolled back by the engine itself, there is none to roll back.
    defer { if destination.isInTransaction { try? destination.execute("ROLLBACK") } }
    try body()
    try destination.execute("COMMIT")
  }
}
