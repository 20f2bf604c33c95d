import ObjectVaultDriver
import ObjectVaultFile

/// The rows of one table during their transfer into the new file.
final class TableSalvage {
  let target: SalvageTarget
  private(set) var report: SalvageReport.Table
  /// The pages that could not be read on the way down from the table's root page.
  private(set) var gaps: [TreeScan.Gap] = []
  /// The distance of the rows from the root page, or `nil` if none were found.
  private var leafDepth: Int?
  /// Whether rows were found below a damaged page.
  private var hasLooseRows = false
  /// The source of the table for rows that this table rejects, or `nil` to leave them out.
  var lostTables: LostTables?
  /// Returns whether a record can be a row of the table, in addition to the types of its columns.
  var isPossible: ([RecordValue]) -> Bool = { _ in true }
  /// The number of the table's columns if their order is not recorded in the file, or `nil`.
  var unorderedCount: Int?
  /// Whether rows lack values of columns whose order is unknown, which were added after them.
  private(set) var hasShorterRows = false
  /// Whether trees without a reference have the same rowids: they are not of one table.
  private(set) var hasOverlappingTrees = false
  private var lastLooseRowID: Int64?
  private var rejectedTarget: SalvageTarget?
  /// The report of the table with the rejected rows, or `nil` if there is none.
  private(set) var rejected: SalvageReport.Table?

  init(_ target: SalvageTarget, title: String) {
    self.target = target
    report = SalvageReport.Table(name: title, table: target.name)
    report.rowIDsAreObjectIDs = target.rowIDIsColumn
  }

  /// Transfers every row of a tree.
  ///
  /// - Parameters:
  ///   - root: The root page of the tree.
  ///   - pages: The pages of the file.
  ///   - isLoose: Whether no page refers to the tree.
  ///   - progress: Called for each row with its page.
  /// - Throws: The errors of reading and writing, and of `progress`.
  func take(
    from root: UInt32, of pages: StoredPages, isLoose: Bool = false,
    _ progress: (UInt32) throws -> Void
  ) throws {
    let scan = try TreeScan(pages: pages, root: root, isTable: target.hasRowIDs) { row in
      try take(row)
      try progress(row.page)
    }
    if isLoose {
      hasLooseRows = true
    } else {
      leafDepth = scan.leafDepth
    }
    // The depth of gaps in a loose tree is counted from its own root page, so adjust it.
    gaps += scan.gaps.map { gap in
      var gap = gap
      if isLoose, let depth = scan.leafDepth, let leafDepth { gap.depth += leafDepth - depth }
      return gap
    }
  }

  private func take(_ row: TreeScan.Row) throws {
    guard let values = row.record?.values else {
      refuse(.init(rowID: row.rowID, columns: target.columns.map(\.name)))
      return
    }
    if let unorderedCount, values.count < unorderedCount { hasShorterRows = true }
    let lost = zip(target.columns, values).compactMap { $1 == .lost ? $0.name : nil }
    switch try target.store(values, rowID: row.rowID) {
    case .refused:
      refuse(.init(rowID: row.rowID, columns: lost))
      try storeRejected(values, rowID: row.rowID)
    case .stored:
      report.rowsRecovered += 1
      guard !lost.isEmpty else { return }
      report.rowsWithLostValuesCount += 1
      if report.rowsWithLostValues.count < SalvageReport.mostNamed {
        report.rowsWithLostValues.append(.init(rowID: row.rowID, columns: lost))
      }
    }
  }

  private func refuse(_ row: SalvageReport.DamagedRow) {
    report.refusedRowsCount += 1
    if report.refusedRows.count < SalvageReport.mostNamed { report.refusedRows.append(row) }
  }

  /// Stores a row that the table rejected in a table without constraints.
  private func storeRejected(_ values: [RecordValue], rowID: Int64?) throws(DriverError) {
    if rejectedTarget == nil {
      let width = max(values.count, target.columns.count)
      rejectedTarget = try lostTables?.make(width: width, hasRowIDs: target.hasRowIDs)
    }
    guard let lost = rejectedTarget else { return }
    var table = rejected ?? SalvageReport.Table(name: lost.name, table: lost.name)
    var outcome = try lost.store(values, rowID: rowID)
    // Another row with this rowid may have been rejected too.
    if outcome == .refused { outcome = try lost.store(values, rowID: nil) }
    if outcome == .refused { return }
    table.rowsRecovered += 1
    rejected = table
    report.refusedRowsTable = lost.name
  }

  /// Returns whether a record can be a row of the table.
  ///
  /// A row that is older than the last added columns has no values for them. If it lacks a value
  /// that every row has, the columns have another order.
  func fits(_ values: [RecordValue]) -> Bool {
    target.fits(values) && isPossible(values)
      && (unorderedCount == nil || target.hasRequired(values))
  }

  /// Records that a tree is placed in the table, after those with lower rowids.
  func add(_ tree: LooseTrees.Tree) {
    guard let first = tree.firstRowID, let last = tree.lastRowID else { return }
    if let before = lastLooseRowID, first <= before { hasOverlappingTrees = true }
    lastLooseRowID = max(lastLooseRowID ?? last, last)
  }

  /// Returns whether a tree that was not placed can be the table with its columns in another order.
  func mayHaveOtherOrder(in tree: LooseTrees.Tree) -> Bool {
    guard unorderedCount != nil, report.rowsRecovered == 0, tree.isTable else { return false }
    return tree.samples.allSatisfy { values in
      values.count <= target.columns.count
        && zip(target.columns, values).allSatisfy { !$0.isRowID || $1 == .null }
    }
  }

  /// The gaps that may have unreferenced rows below them.
  var openGaps: [TreeScan.Gap] { gaps.filter { !isAtLeaf($0) } }

  private func isAtLeaf(_ gap: TreeScan.Gap) -> Bool {
    guard let leafDepth else { return false }
    return gap.depth >= leafDepth
  }

  /// Returns whether the rows of a tree can be below a gap.
  func hasRoom(for tree: LooseTrees.Tree) -> Bool {
    openGaps.contains { gap in
      guard let first = tree.firstRowID, let last = tree.lastRowID else { return true }
      return (gap.after.map { first > $0 } ?? true) && (gap.upTo.map { last <= $0 } ?? true)
    }
  }

  /// Returns the report with the losses.
  ///
  /// - Parameters:
  ///   - lastNumber: The greatest rowid that was ever generated, if the file records it.
  ///   - strayPages: The damaged pages that no page refers to. Each of them may have been below a
  ///     gap.
  /// - Returns: The report of the table.
  func finish(lastNumber: Int64?, strayPages: [UInt32]) -> SalvageReport.Table {
    for gap in gaps {
      // Interior pages hold no rows, except in a table without rowids. If the unreadable page is
      // the only page of its table, it held the rows.
      let heldRows = !target.hasRowIDs || isAtLeaf(gap) || (leafDepth == nil && !hasLooseRows)
      if heldRows { add(gap.page, gap, lastNumber, isNarrow: true) }
      if !isAtLeaf(gap), hasLooseRows || leafDepth != nil {
        for page in strayPages { add(page, gap, lastNumber, isNarrow: false) }
      }
    }
    report.lost.sort { ($0.first ?? .min, $0.page) < ($1.first ?? .min, $1.page) }
    return report
  }

  private func add(_ page: UInt32, _ gap: TreeScan.Gap, _ lastNumber: Int64?, isNarrow: Bool) {
    guard target.hasRowIDs else {
      report.lost.append(.init(page: Int(page)))
      return
    }
    func next(_ number: Int64) -> Int64 { number == .max ? .max : number + 1 }
    let before = isNarrow ? [gap.after, gap.lastBefore].compactMap { $0 }.max() : gap.after
    var last = gap.upTo
    if isNarrow, let first = gap.firstAfter {
      last = min(last ?? .max, first == .min ? .min : first - 1)
    }
    report.lost.append(
      .init(page: Int(page), first: before.map(next), last: last ?? lastNumber))
  }
}
