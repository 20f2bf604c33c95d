import ObjectVaultCondition

/// What a file says its tables and indexes are, read from its pages.
struct StoredSchema {
  /// One table, index, view or trigger.
  struct Entry: Hashable {
    var type: String
    var name: String
    /// The table that it belongs to.
    var table: String
    /// The first page of a table or index; 0 for what has none.
    var root: UInt32
    /// `nil` for indexes that the engine makes by itself.
    var sql: String?

    /// Whether the rows of a table are kept as entries of an index are.
    var isWithoutRowID: Bool {
      guard type == "table", let sql else { return false }
      // What may follow the columns.
      let options = sql.asciiLowercased.split(separator: ")").last ?? ""
      return options.split { " \t\r\n,;".contains($0) }.joined(separator: " ")
        .contains("without rowid")
    }
  }

  var entries: [Entry] = []
  /// The names of classes, by table.
  var classNames: [String: String] = [:]
  /// Whether all of the list could be read.
  var isWhole = true

  /// Reads the list of tables, which begins on page 1.
  init(_ pages: StoredPages) throws {
    let scan = try TreeScan(pages: pages, root: 1, isTable: true) { row in
      if let entry = Self.entry(row.record, pages.encoding) { entries.append(entry) }
    }
    isWhole = scan.gaps.isEmpty
    if !isWhole { try addLooseEntries(pages) }
    guard let classes = entries.first(where: { $0.name == "objectvault_classes" }) else { return }
    _ = try TreeScan(pages: pages, root: classes.root, isTable: true) { row in
      let values = row.record?.values ?? []
      guard values.count >= 2, case .text(let table) = values[0], case .text(let name) = values[1]
      else { return }
      classNames[pages.encoding.text(table)] = pages.encoding.text(name)
    }
  }

  /// Adds what stands on pages of the list that nothing leads to any more: every row of theirs is
  /// an entry of such a list.
  private mutating func addLooseEntries(_ pages: StoredPages) throws {
    guard pages.lastPresent >= 2 else { return }
    for number in 2...pages.lastPresent {
      guard let page = try pages.tree(number), page.kind == .tableLeaf, !page.cells.isEmpty,
        page.fills(pages.usableSize)
      else { continue }
      var found: [Entry] = []
      for payload in page.cells.compactMap(\.payload) {
        let record = try pages.record(of: payload, on: page).record
        guard let entry = Self.entry(record, pages.encoding) else { break }
        found.append(entry)
      }
      guard found.count == page.cells.count else { continue }
      for entry in found where !entries.contains(where: { $0.name == entry.name }) {
        entries.append(entry)
      }
    }
  }

  /// What a table is called: by its class, where it is one's.
  func title(ofTable table: String) -> String { classNames[table] ?? table }

  static func entry(_ record: Record?, _ encoding: TextEncoding) -> Entry? {
    guard let values = record?.values, values.count == 5, case .text(let type) = values[0],
      case .text(let name) = values[1], case .text(let table) = values[2],
      case .integer(let root) = values[3], let root = UInt32(exactly: root)
    else { return nil }
    var entry = Entry(
      type: encoding.text(type), name: encoding.text(name), table: encoding.text(table),
      root: root, sql: nil)
    switch values[4] {
    case .text(let sql): entry.sql = encoding.text(sql)
    case .null: break
    default: return nil
    }
    return ["table", "index", "view", "trigger"].contains(entry.type) ? entry : nil
  }
}
