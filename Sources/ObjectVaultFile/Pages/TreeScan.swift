import ObjectVaultSession

/// A traversal of the pages of a table or index from its root page.
///
/// It skips unreadable pages and records them.
package struct TreeScan {
  /// A row of a table or an entry of an index.
  package struct Row {
    /// The rowid, or `nil` for an index entry.
    package var rowID: Int64?
    /// The record, or `nil` if even its header cannot be read.
    package var record: RecordContent?
    /// The page that contains the start of the row.
    package var page: UInt32
    /// The overflow page that could not be read.
    var lostPage: UInt32?
  }

  /// A page of the tree that could not be read, with everything below it.
  package struct Gap {
    package var page: UInt32
    /// The distance from the root page.
    package var depth: Int
    /// The greatest rowid before the page, and the greatest rowid possible below it.
    package var after: Int64?
    package var upTo: Int64?
    /// The last rowid that was read before the page, and the first one after it.
    package var lastBefore: Int64?
    package var firstAfter: Int64?
  }

  private(set) package var gaps: [Gap] = []
  /// All pages of the tree that were found, including unreadable pages and overflow pages.
  private(set) var pages: PageSet
  private(set) var rowCount = 0
  /// The distance of the rows from the root page, or `nil` if none were found.
  private(set) package var leafDepth: Int?

  private let source: StoredPages
  private let isTable: Bool
  private let readsRecords: Bool
  private var lastRowID: Int64?
  /// The position of the first gap that no row follows yet.
  private var firstOpenGap = 0

  /// The maximum depth that SQLite allows.
  private static let greatestDepth = 20

  /// Traverses a tree.
  ///
  /// - Parameters:
  ///   - pages: The pages of the file.
  ///   - root: The root page.
  ///   - isTable: Whether the tree is a table with rowids; otherwise an index.
  ///   - readsRecords: Whether records are read. Otherwise only their pages are recorded.
  ///   - body: Called for each row in order, if records are read.
  /// - Throws: The errors of reading the file and of `body`.
  package init(
    pages: StoredPages, root: UInt32, isTable: Bool, readsRecords: Bool = true,
    _ body: (Row) throws -> Void
  ) throws {
    source = pages
    self.pages = PageSet(upTo: UInt32(clamping: pages.presentCount))
    self.isTable = isTable
    self.readsRecords = readsRecords
    try visit(root, depth: 0, after: nil, upTo: nil, body)
  }

  private mutating func visit(
    _ number: UInt32, depth: Int, after: Int64?, upTo: Int64?, _ body: (Row) throws -> Void
  ) throws {
    try Cancellation.check()
    // A page that was already visited or that is outside the file cannot be a child of this one.
    let isNew = number >= 1 && number <= source.count && pages.insert(number)
    guard isNew, depth < Self.greatestDepth, let page = try source.tree(number),
      page.kind.isTable == isTable
    else {
      gaps.append(
        Gap(page: number, depth: depth, after: after, upTo: upTo, lastBefore: lastRowID))
      return
    }
    guard page.kind.isInterior else {
      leafDepth = leafDepth ?? depth
      for cell in page.cells { try take(cell, on: page, body) }
      return
    }
    var last = after
    for cell in page.cells {
      if let child = cell.child {
        try visit(child, depth: depth + 1, after: last, upTo: cell.rowID ?? upTo, body)
      }
      last = cell.rowID ?? last
      if !isTable { try take(cell, on: page, body) }
    }
    if let child = page.rightChild {
      try visit(child, depth: depth + 1, after: last, upTo: upTo, body)
    }
  }

  private mutating func take(
    _ cell: BTreePage.Cell, on page: BTreePage, _ body: (Row) throws -> Void
  ) throws {
    guard let payload = cell.payload else { return }
    try Cancellation.check()
    rowCount += 1
    if let rowID = cell.rowID {
      for index in firstOpenGap..<gaps.count { gaps[index].firstAfter = rowID }
      firstOpenGap = gaps.count
      lastRowID = rowID
    }
    guard readsRecords else {
      _ = try source.overflow(of: payload) { try claim($0) }
      return
    }
    let stored = try source.record(of: payload, on: page) { try claim($0) }
    try body(
      Row(
        rowID: cell.rowID, record: stored.record, page: page.number, lostPage: stored.lostPage))
  }

  /// Returns whether an overflow page belongs to no other row and is no other page of the tree.
  private mutating func claim(_ page: UInt32) throws -> Bool {
    try Cancellation.check()
    return pages.insert(page)
  }
}
