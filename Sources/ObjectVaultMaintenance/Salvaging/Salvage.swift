import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

/// The transfer of the rows of a damaged file into a new one, table by table, from the readable
/// pages.
struct Salvage {
  let pages: StoredPages
  let owners: PageOwners
  /// The new file, which is empty at first.
  let target: Connection
  /// The damaged pages of the file.
  let badPages: [VerificationReport.BadPage]
  /// Receives the number of pages read.
  let progress: (Int) throws -> Void
  /// The identifier of the vault, for use if the one in the file is lost.
  var vaultID: UUID?

  private(set) var schema = SalvageReport.Schema.file
  private(set) var tables: [SalvageReport.Table] = []
  var notRestored: [String] = []

  private(set) var salvaged: [TableSalvage] = []
  /// The tables of classes without a known root page.
  var unplaced: [TableSalvage] = []
  /// The tables of rows that belong to no class.
  private var unnamed: [TableSalvage] = []
  private var sequences: [String: Int64] = [:]
  /// The tables of rows that no other table of the new file has.
  let lostTables: LostTables

  init(
    pages: StoredPages, owners: PageOwners, badPages: [VerificationReport.BadPage],
    to target: Connection, _ progress: @escaping (Int) throws -> Void
  ) {
    self.pages = pages
    self.owners = owners
    self.badPages = badPages
    self.target = target
    self.progress = progress
    lostTables = LostTables(
      in: target, besides: owners.schema.entries.map(\.name), encoding: pages.encoding)
  }

  /// Transfers everything in one transaction.
  mutating func run() throws {
    try settlePages()
    try liftRules()
    try target.execute("BEGIN")
    try copyEverything()
    try target.execute("COMMIT")
  }

  private mutating func copyEverything() throws {
    try readSequences()
    var read = 0
    var lastPage: UInt32 = 0
    let progress = progress
    func count(_ page: UInt32) throws {
      if page == lastPage { return }
      lastPage = page
      read += 1
      try progress(read)
    }
    // The contents of these tables are derived from others.
    let derived = Set(searches.flatMap(\.innerTables) + [SharedBlobs.uses])
    for entry in owners.schema.entries where entry.type == "table" && entry.root > 0 {
      guard !entry.name.asciiLowercased.hasPrefix("sqlite_") else { continue }
      guard let table = try makeTable(entry) else { continue }
      if !derived.contains(entry.name) { table.lostTables = lostTables }
      salvaged.append(table)
      try table.take(from: entry.root, of: pages, count)
    }
    try placeLooseTrees(count)
    finishTables()
    try restoreSequences()
    try restoreSharing()
    try restoreHistory()
    try restoreSchema()
    try restoreFields()
  }

  /// The virtual tables of the file.
  ///
  /// Their contents are in other tables.
  var virtualTables: [String] {
    owners.schema.entries.filter { $0.type == "table" && $0.root == 0 }.map(\.name)
  }

  // MARK: Tables

  /// Creates a table with its definition in the file.
  ///
  /// If the engine rejects the definition or cannot insert as many columns, the rows are stored in
  /// a table without types or constraints, or not at all if they are too wide for it.
  private mutating func makeTable(_ entry: StoredSchema.Entry) throws -> TableSalvage? {
    let title = owners.schema.title(ofTable: entry.name)
    do {
      try Self.make(entry, on: target)
      let made = try SalvageTarget(
        entry.name, on: target, hasRowIDs: !entry.isWithoutRowID, encoding: pages.encoding)
      return TableSalvage(made, title: title)
    } catch {
      guard [.sqlError, .misuse, .tooBig].contains(error.code) else { throw error }
      notRestored.append("table '\(entry.name)': \(error.message)")
      return try makeLostTable(
        root: entry.root, isTable: !entry.isWithoutRowID, title: title)
    }
  }

  /// Runs the definition of a schema object, which can only create the object.
  ///
  /// - Throws: ``DriverError/Code/sqlError`` for a definition that no `CREATE` statement could have
  ///   stored. No part of it is run then.
  static func make(
    _ entry: StoredSchema.Entry, on target: Connection
  ) throws(DriverError) {
    try screen(entry)
    try target.prepare(entry.sql ?? "", persistent: false).run()
  }

  private static func screen(_ entry: StoredSchema.Entry) throws(DriverError) {
    if let reason = SchemaScreen.refusal(type: entry.type, name: entry.name, sql: entry.sql) {
      throw DriverError(.sqlError, reason)
    }
  }

  /// Creates a table that accepts every row of a tree.
  private mutating func makeLostTable(
    root: UInt32, isTable: Bool, title: String? = nil
  ) throws -> TableSalvage? {
    var width = 0
    _ = try TreeScan(pages: pages, root: root, isTable: isTable) { row in
      width = max(width, row.record?.values.count ?? 0)
    }
    return try lostTables.make(width: width, hasRowIDs: isTable).map {
      TableSalvage($0, title: title ?? $0.name)
    }
  }

  private mutating func finishTables() {
    // A page that is unreadable and unreferenced may have been below any damaged page.
    let stray = badPages.map { UInt32(clamping: $0.number) }.filter { !owners.isKnown($0) }
    let inner = Set(searches.flatMap(\.innerTables))
    let all = (salvaged + unplaced + unnamed).filter { !inner.contains($0.target.name) }
    tables =
      all.map { $0.finish(lastNumber: sequences[$0.target.name], strayPages: stray) }
      + all.compactMap(\.rejected)
    for table in all where table.hasShorterRows {
      notRestored.append(
        "the order of the columns of table '\(table.target.name)', to which columns were added: "
          + "values may be in other properties")
    }
    for table in unplaced where table.hasOverlappingTrees {
      notRestored.append(
        "the limits of table '\(table.target.name)': rows of another table may be in it")
    }
  }

  // MARK: Unreferenced trees

  private mutating func placeLooseTrees(_ count: (UInt32) throws -> Void) throws {
    let isSchemaWhole = owners.schema.isWhole
    guard !isSchemaWhole || salvaged.contains(where: { !$0.openGaps.isEmpty }) else { return }
    let inner = Set(searches.flatMap(\.innerTables))
    var loose = try LooseTrees(pages, isKnown: owners.isKnown).trees
    if !isSchemaWhole { try makeLostClasses(&loose) }
    var left: [(tree: LooseTrees.Tree, table: String)] = []
    // The rows of a table help to recognize its indexes, so tables come first.
    for tree in loose.filter(\.isTable) + loose.filter({ !$0.isTable }) {
      if let table = home(of: tree, isSchemaWhole: isSchemaWhole, besides: inner) {
        table.add(tree)
        try table.take(from: tree.root, of: pages, isLoose: true, count)
        continue
      }
      if try !tree.isTable && (isSchemaWhole || isIndex(tree)) { continue }
      if let table = try makeLostTable(root: tree.root, isTable: tree.isTable) {
        unnamed.append(table)
        left.append((tree, table.target.name))
        try table.take(from: tree.root, of: pages, isLoose: true, count)
      }
    }
    for (tree, name) in left {
      for table in unplaced where table.mayHaveOtherOrder(in: tree) {
        notRestored.append(
          "the order of the columns of table '\(table.target.name)': its rows may be in table "
            + "'\(name)'")
      }
    }
  }

  /// Returns whether a tree is an index of a recovered table.
  ///
  /// Each record of an index begins with a value of a row and ends with the row's rowid.
  private func isIndex(_ tree: LooseTrees.Tree) throws -> Bool {
    try (salvaged + unplaced + unnamed).contains { table in
      guard table.target.hasRowIDs, !table.target.columns.isEmpty else { return false }
      return try tree.samples.allSatisfy { values in
        guard values.count >= 2, let first = values.first, case .integer(let id) = values.last
        else { return false }
        return try table.target.hasRow(id, with: first)
      }
    }
  }

  /// Returns the only table that a tree can belong to.
  ///
  /// If the tree can belong only to several of the tables in `inner`, which are dropped later, any
  /// of them is returned.
  private func home(
    of tree: LooseTrees.Tree, isSchemaWhole: Bool, besides inner: Set<String>
  ) -> TableSalvage? {
    let isFit = { (table: TableSalvage) in tree.samples.allSatisfy(table.fits) }
    let open = salvaged.filter {
      $0.target.hasRowIDs == tree.isTable && $0.hasRoom(for: tree)
    }
    // If only one table is possible, its rows may have values of other types than declared.
    if isSchemaWhole, tree.isTable, open.count == 1 { return open.first }
    let fitting = (open + unplaced.filter { $0.target.hasRowIDs == tree.isTable }).filter(isFit)
    if fitting.count <= 1 || fitting.allSatisfy({ inner.contains($0.target.name) }) {
      return fitting.first
    }
    // Prefer tables with as many columns as the rows. Shorter rows may be older than the last added
    // columns.
    let exact = fitting.filter { table in
      tree.samples.contains { $0.count == table.target.columns.count }
    }
    return exact.count == 1 ? exact.first : nil
  }

  /// Creates the tables of the classes that are described in the file, if its list of tables is
  /// lost.
  private mutating func makeLostClasses(_ loose: inout [LooseTrees.Tree]) throws {
    let found = try LostClasses(pages, owners.schema, &loose)
    schema = found.classes.isEmpty ? .none : .classes
    sequences.merge(found.sequences) { max($0, $1) }
    guard !found.classes.isEmpty || !found.info.isEmpty else { return }
    let connection = Session(target)
    let system = SystemTables(connection)
    try system.create(vaultID: vaultID)
    for (key, value) in found.info { try system.restore(key, value) }
    let descriptions = found.classes.map(\.description)
    try addSharing(of: found.classes)
    try addHistory(of: descriptions)
    for table in unplaced { table.lostTables = lostTables }
    for lost in found.classes {
      addSearch(of: lost.description)
      if !salvaged.contains(where: { $0.target.name == lost.description.table }) {
        try makeTable(of: lost, of: descriptions)
      }
      // The description depends on the columns of the table.
      try system.describe(lost.description, removed: lost.removed, ofNewTable: true)
    }
  }

  /// Creates the table of a class from its description.
  private mutating func makeTable(
    of lost: LostClass, of descriptions: [ClassDescription]
  ) throws {
    let description = lost.description
    let definition = TableDefinition(description: description)
    try target.execute(
      definition.createTable(withColumns: lost.tableColumns, removed: lost.removed))
    try addOrders(ofTable: description.table, of: descriptions)
    do throws(DriverError) {
      let made = try SalvageTarget(
        description.table, on: target, hasRowIDs: true, encoding: pages.encoding)
      let table = TableSalvage(made, title: description.name)
      table.lostTables = lostTables
      if lost.tableColumns.isEmpty { table.unorderedCount = definition.columnNames.count }
      unplaced.append(table)
    } catch {
      guard [.sqlError, .tooBig].contains(error.code) else { throw error }
      notRestored.append("table '\(description.table)': \(error.message)")
    }
    looseIndexes += definition.indexes().map {
      StoredSchema.Entry(
        type: "index", name: $0.name, table: description.table, root: 0, sql: $0.statement)
    }
  }

  /// The indexes, and the triggers of shared blobs and histories, of classes whose tables are
  /// created from their descriptions.
  var looseIndexes: [StoredSchema.Entry] = []
  /// The full-text indexes of classes that are missing in the file's list of tables.
  var looseSearches: [SalvagedSearch] = []

  // MARK: Schema and settings

  /// Sets the properties that are fixed with a file's first page.
  private func settlePages() throws {
    // A value with a hyphen would need quotes.
    try target.setPragma(
      "encoding", to: pages.encoding.name.filter { $0 != "-" }, expecting: pages.encoding.name)
    if let header = pages.header, header.hasPointerMap {
      let mode = header.isIncrementalVacuum ? "2" : "1"
      try target.setPragma("auto_vacuum", to: mode, expecting: mode)
    }
    try target.writeFirstPage()
  }

  /// Disables the rules that would change or reject recovered rows, and allows writing the schema
  /// table.
  private func liftRules() throws {
    for (name, value) in [
      ("foreign_keys", "0"), ("ignore_check_constraints", "1"), ("writable_schema", "1"),
    ] { try target.setPragma(name, to: value, expecting: value) }
  }

  private mutating func readSequences() throws {
    guard let entry = owners.schema.entries.first(where: { $0.name == "sqlite_sequence" }) else {
      return
    }
    var found: [String: Int64] = [:]
    let scan = try TreeScan(pages: pages, root: entry.root, isTable: true) { row in
      guard let values = row.record?.values, values.count == 2, case .text(let name) = values[0],
        case .integer(let number) = values[1]
      else { return }
      found[pages.encoding.text(name)] = number
    }
    sequences = found
    guard !scan.gaps.isEmpty else { return }
    notRestored.append(
      "the last generated IDs: new objects may get the IDs of removed objects")
  }

  /// Restores the sequence numbers, so that no number is generated twice even if the last rows are
  /// lost.
  private func restoreSequences() throws {
    for (table, number) in sequences where try hasTable(table) {
      try GeneratedSequence(table: table).raise(to: number, on: Session(target))
    }
  }

  private func hasTable(_ name: String) throws -> Bool {
    let statement = try target.statement("SELECT 1 FROM sqlite_master WHERE name = ?1")
    defer { statement.reset() }
    statement.binder.bind(text: name, at: 0)
    return try statement.step()
  }

  private mutating func restoreSchema() throws {
    // A part of the file's list may be readable.
    let listed = Set(owners.schema.entries.filter { $0.sql != nil }.map(\.name))
    let entries = owners.schema.entries + looseIndexes.filter { !listed.contains($0.name) }
    for entry in entries where entry.type == "index" {
      guard entry.sql != nil, try hasTable(entry.table) else { continue }
      try attempt("index", entry.name) { try Self.make(entry, on: $0) }
    }
    let indexes = searches
    for index in indexes { try restore(index) }
    let made = Set(indexes.flatMap { $0.entries.map(\.name) })
    for type in ["view", "trigger"] {
      for entry in entries where entry.type == type && !made.contains(entry.name) {
        try attempt(type, entry.name) { try Self.make(entry, on: $0) }
      }
    }
    // The contents of a virtual table are in other tables, so its module is not required.
    for entry in entries
    where entry.type == "table" && entry.root == 0 && !made.contains(entry.name) {
      try attempt("table", entry.name) { target in
        try Self.screen(entry)
        let statement = try target.statement(
          "INSERT INTO sqlite_master(type, name, tbl_name, rootpage, sql) "
            + "VALUES('table', ?1, ?2, 0, ?3)")
        let binder = statement.binder
        for (position, text) in [entry.name, entry.table, entry.sql ?? ""].enumerated() {
          binder.bind(text: text, at: position)
        }
        try statement.run()
      }
    }
    if entries.contains(where: { $0.name == "sqlite_stat1" }) {
      try attempt("the statistics", "sqlite_stat1") { try $0.execute("ANALYZE") }
    }
  }

  mutating func attempt(
    _ kind: String, _ name: String, _ body: (Connection) throws -> Void
  ) throws {
    // The engine undoes a CREATE INDEX that fails at an expression only with a savepoint.
    try target.execute("SAVEPOINT restoring")
    do {
      try body(target)
      try target.execute("RELEASE restoring")
    } catch let error as DriverError {
      switch error.code {
      case .sqlError, .misuse, .notAuthorized, .constraint, .constraintUnique,
        .constraintPrimaryKey, .constraintNotNull, .tooBig:
        try target.execute("ROLLBACK TO restoring")
        try target.execute("RELEASE restoring")
        notRestored.append("\(kind) '\(name)': \(error.message)")
      default: throw error
      }
    }
  }

  private func restoreFields() throws {
    guard let header = pages.header else { return }
    if Int64(header.applicationID) == SystemTables.applicationID {
      // Recovered values are not overwritten.
      try SystemTables(Session(target)).create(vaultID: vaultID)
    }
    for (name, value) in [
      ("user_version", header.userVersion), ("application_id", header.applicationID),
    ] { try target.setPragma(name, to: String(value), expecting: String(value)) }
  }
}
