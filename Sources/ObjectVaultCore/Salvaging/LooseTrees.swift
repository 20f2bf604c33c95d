/// The tables, and parts of tables, that nothing leads to: what is below a bad page, or everything
/// where the list of tables is lost.
struct LooseTrees {
  /// One of them: its highest page that could be read.
  struct Tree {
    var root: UInt32
    /// Whether it holds rows under their rowids.
    var isTable: Bool
    /// The first rowid in it; `nil` where it has none.
    var firstRowID: Int64?
    /// The last rowid in it.
    var lastRowID: Int64?
    /// Some of its records.
    var samples: [[RecordValue]]
  }

  /// In the order of their rowids.
  private(set) var trees: [Tree] = []

  /// How many records are looked at to tell what they are rows of.
  private static let sampleCount = 200

  /// Looks at every page that nothing leads to.
  ///
  /// A page that is laid out to the byte as one of a table is one: what other pages hold (records
  /// that go on, free space) is so by no chance.
  ///
  /// - Parameter isKnown: Whether something leads to a page.
  init(_ pages: StoredPages, isKnown: (UInt32) -> Bool) throws {
    var found: [UInt32: BTreePage.Kind] = [:]
    var children: Set<UInt32> = []
    guard pages.lastPresent >= 2 else { return }
    for number in 2...pages.lastPresent where !isKnown(number) {
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
