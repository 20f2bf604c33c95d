/// One pass over the pages of a table or index, from its first page down.
///
/// It goes round what cannot be read, and says where that was.
struct TreeScan {
  /// A row, or an entry of an index.
  struct Row {
    /// `nil` for entries of an index.
    var rowID: Int64?
    /// `nil` where not even what it holds can be read.
    var record: Record?
    /// The page that it stands on.
    var page: UInt32
    /// The page that it goes on on and that could not be read.
    var lostPage: UInt32?
  }

  /// A page of the tree that could not be read, with all below it.
  struct Gap {
    var page: UInt32
    /// How far below the first page it is.
    var depth: Int
    /// The greatest rowid before it, and the greatest that can be below it.
    var after: Int64?
    var upTo: Int64?
    /// The last rowid that was read before, and the first one after.
    var lastBefore: Int64?
    var firstAfter: Int64?
  }

  private(set) var gaps: [Gap] = []
  /// Every page of the tree that was met, also those that could not be read and those that records
  /// go on on.
  private(set) var pages: Set<UInt32> = []
  private(set) var rowCount = 0
  /// How far below the first page the rows are; `nil` where none were found.
  private(set) var leafDepth: Int?

  private let source: StoredPages
  private let isTable: Bool
  private let readsRecords: Bool
  private var lastRowID: Int64?

  /// What SQLite itself allows.
  private static let greatestDepth = 20

  /// - Parameters:
  ///   - root: The first page.
  ///   - isTable: Whether rows are looked for, by rowid; else entries of an index.
  ///   - readsRecords: Whether records are read; else only the pages that they stand on are noted.
  ///   - body: Called for each row in order.
  init(
    pages: StoredPages, root: UInt32, isTable: Bool, readsRecords: Bool = true,
    _ body: (Row) throws -> Void
  ) throws {
    source = pages
    self.isTable = isTable
    self.readsRecords = readsRecords
    try visit(root, depth: 0, after: nil, upTo: nil, body)
  }

  private mutating func visit(
    _ number: UInt32, depth: Int, after: Int64?, upTo: Int64?, _ body: (Row) throws -> Void
  ) throws {
    // A page that was met before, or that the file cannot have, is no child of this one.
    let isNew = number >= 1 && number <= source.count && pages.insert(number).inserted
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
    rowCount += 1
    if let rowID = cell.rowID {
      for index in gaps.indices where gaps[index].firstAfter == nil {
        gaps[index].firstAfter = rowID
      }
      lastRowID = rowID
    }
    guard readsRecords else {
      pages.formUnion(try source.overflow(of: payload))
      return
    }
    let stored = try source.record(of: payload, on: page)
    pages.formUnion(stored.overflow)
    try body(
      Row(
        rowID: cell.rowID, record: stored.record, page: page.number, lostPage: stored.lostPage))
  }
}
