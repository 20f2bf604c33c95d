import ObjectVaultModel
import ObjectVaultSession

/// The tables and indexes of a file, read from its pages.
package struct StoredSchema {
  /// A table, index, view or trigger.
  package struct Entry: Hashable {
    package var type: String
    package var name: String
    /// The table that the entry belongs to.
    package var table: String
    /// The first page of a table or index; 0 for entries without pages.
    package var root: UInt32
    /// The definition, or `nil` for automatic indexes of the engine.
    package var sql: String?

    package init(type: String, name: String, table: String, root: UInt32, sql: String? = nil) {
      self.type = type
      self.name = name
      self.table = table
      self.root = root
      self.sql = sql
    }

    /// Whether the rows of a table are stored like the entries of an index.
    package var isWithoutRowID: Bool {
      type == "table" && sql.map(SQLToken.isWithoutRowID) ?? false
    }
  }

  package var entries: [Entry] = []
  /// The names of classes, by table.
  var classNames: [String: String] = [:]
  /// Whether the whole list could be read.
  package var isWhole = true

  /// Reads the list of tables, which begins on page 1.
  package init(_ pages: StoredPages) throws {
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

  /// Adds the entries on unreferenced pages of the list.
  ///
  /// A page counts as such if all of its rows are valid entries of the list.
  private mutating func addLooseEntries(_ pages: StoredPages) throws {
    for number in pages.present where number >= 2 {
      guard let page = try pages.tree(number), page.kind == .tableLeaf, !page.cells.isEmpty,
        page.fills(pages.usableSize)
      else { continue }
      var found: [Entry] = []
      var overflow = PageSet(upTo: UInt32(clamping: pages.presentCount))
      for payload in page.cells.compactMap(\.payload) {
        let record = try pages.record(of: payload, on: page) { number in
          try Cancellation.check()
          return overflow.insert(number)
        }.record
        guard let entry = Self.entry(record, pages.encoding) else { break }
        found.append(entry)
      }
      guard found.count == page.cells.count else { continue }
      for entry in found where !entries.contains(where: { $0.name == entry.name }) {
        entries.append(entry)
      }
    }
  }

  /// Returns the name of a table's class, or the table's own name if it belongs to no class.
  package func title(ofTable table: String) -> String { classNames[table] ?? table }

  static func entry(_ record: RecordContent?, _ encoding: TextEncoding) -> Entry? {
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
