import ObjectVaultFile

/// The tables and parts of tables that no readable page refers to.
///
/// They are below a damaged page, or include all tables if the list of tables is lost.
struct LooseTrees {
  /// An unreferenced tree, starting at its highest readable page.
  struct Tree {
    var root: UInt32
    /// Whether it contains rows with rowids.
    var isTable: Bool
    /// The first rowid in the tree, or `nil` if it has none.
    var firstRowID: Int64?
    /// The last rowid in the tree.
    var lastRowID: Int64?
    /// Some of its records.
    var samples: [[RecordValue]]
  }

  /// The trees, in the order of their rowids.
  private(set) var trees: [Tree] = []

  /// The number of records that are examined to determine their table.
  private static let sampleCount = 200

  /// Examines all unreferenced pages.
  ///
  /// If the layout of a page is that of a table or index page to the byte, the page is one: other
  /// pages (overflow pages, free space) do not match by chance. The closure `isKnown` returns
  /// whether another page refers to a page.
  init(_ pages: StoredPages, isKnown: (UInt32) -> Bool) throws {
    var found: [UInt32: BTreePage.Kind] = [:]
    var children: Set<UInt32> = []
    for number in pages.present where number >= 2 && !isKnown(number) {
      guard let page = try pages.tree(number), page.fills(pages.usableSize),
        !page.cells.isEmpty || page.kind.isInterior
      else { continue }
      found[number] = page.kind
      children.formUnion(page.children)
    }
    for (number, kind) in found where !children.contains(number) {
      if let tree = try Self.tree(number, kind, pages) { trees.append(tree) }
    }
    trees.sort { ($0.firstRowID ?? .min, $0.root) < ($1.firstRowID ?? .min, $1.root) }
  }

  private static func tree(
    _ root: UInt32, _ kind: BTreePage.Kind, _ pages: StoredPages
  ) throws -> Tree? {
    var tree = Tree(root: root, isTable: kind.isTable, samples: [])
    _ = try TreeScan(pages: pages, root: root, isTable: kind.isTable) { row in
      tree.firstRowID = tree.firstRowID ?? row.rowID
      tree.lastRowID = row.rowID
      if tree.samples.count < sampleCount, let values = row.record?.values {
        tree.samples.append(values)
      }
    }
    return tree.samples.isEmpty ? nil : tree
  }
}
