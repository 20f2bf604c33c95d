/// The owners of the pages of a file, derived from the undamaged pages.
package struct PageOwners {
  private var owners: [UInt32: PageOwner] = [:]
  /// The unreadable pages of tables and indexes, in order, with their owners.
  private(set) package var unreadable: [(page: UInt32, owner: PageOwner)] = []
  /// Whether everything except the pages below unreadable pages was found.
  let isWhole: Bool
  package let schema: StoredSchema

  package init(_ pages: StoredPages) throws {
    schema = try StoredSchema(pages)
    let free = try pages.freePages()
    isWhole = schema.isWhole && free.isWhole && pages.header != nil
    for page in free.trunks + free.leaves { owners[page] = .freeSpace }
    owners[pages.lockBytePage] = .freeSpace
    if pages.header?.hasPointerMap == true {
      for page in 2...max(2, pages.lastPresent) where pages.isPointerMap(page) {
        owners[page] = .pointerMap
      }
    }
    try add(root: 1, isTable: true, .schema, pages)
    for entry in schema.entries where entry.root > 0 {
      let title = schema.title(ofTable: entry.table)
      let owner: PageOwner =
        entry.type == "table" ? .objects(of: title) : .index(entry.name, of: title)
      try add(
        root: entry.root, isTable: entry.type == "table" && !entry.isWithoutRowID, owner, pages)
    }
  }

  private mutating func add(
    root: UInt32, isTable: Bool, _ owner: PageOwner, _ pages: StoredPages
  ) throws {
    let scan = try TreeScan(pages: pages, root: root, isTable: isTable, readsRecords: false) { _ in
    }
    for page in scan.pages { owners[page] = owner }
    unreadable += scan.gaps.map { ($0.page, owner) }
  }

  /// Returns the number of pages of each owner, up to the last page of the file.
  package func counts(upTo last: UInt32) -> [PageOwner: Int] {
    owners.reduce(into: [:]) { if $1.key <= last { $0[$1.value, default: 0] += 1 } }
  }

  /// Returns the owner of a page.
  package func owner(of page: UInt32) -> PageOwner {
    if let owner = owners[page] { return owner }
    // If there is exactly one unreadable page, an unreferenced page is below it.
    guard isWhole, unreadable.count == 1, let gap = unreadable.first else { return .unknown }
    return switch gap.owner {
    case .objects(let name), .index(_, let name): .below(page: Int(gap.page), of: name)
    default: .unknown
    }
  }

  /// Returns whether a page of zeros was overwritten, because a structure of the file uses it.
  ///
  /// The engine reads a page of zeros in an encrypted file as a page that was never written, and
  /// does not authenticate it. Only free pages may be in that state.
  package func isErased(_ zeroPage: UInt32, in pages: StoredPages) -> Bool {
    pages.isSealed && isKnown(zeroPage) && owners[zeroPage] != .freeSpace
  }

  /// Returns whether a structure of the file refers to the page.
  package func isKnown(_ page: UInt32) -> Bool { owners[page] != nil }
}
