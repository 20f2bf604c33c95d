/// The owners of the pages of a file, derived from the undamaged pages.
package struct PageOwners {
  /// The owners, each once.
  private var owners: [PageOwner] = []
  private var numbers: [PageOwner: UInt32] = [:]
  /// The number of the owner of each page of the file, from 1; 0 if it is unknown.
  private var ownerOfPage: [UInt32]
  /// The same for pages beyond the end of the file, to which a damaged file may refer, or which a
  /// log contains.
  private var ownerBeyond: [UInt32: UInt32] = [:]
  /// The unreadable pages of tables and indexes, in order, with their owners; each pair once.
  private(set) package var unreadable: [(page: UInt32, owner: PageOwner)] = []
  /// The pairs in ``unreadable``: the number of the owner, and the page.
  private var unreadablePairs: Set<UInt64> = []
  /// Whether everything except the pages below unreadable pages was found.
  let isWhole: Bool
  package let schema: StoredSchema

  package init(_ pages: StoredPages) throws {
    ownerOfPage = Array(repeating: 0, count: pages.presentCount + 1)
    schema = try StoredSchema(pages)
    let free = try pages.freePages()
    isWhole = schema.isWhole && free.isWhole && pages.header != nil
    for page in free.trunks + free.leaves { set(.freeSpace, of: page) }
    set(.freeSpace, of: pages.lockBytePage)
    if pages.header?.hasPointerMap == true {
      for page in pages.present where pages.isPointerMap(page) { set(.pointerMap, of: page) }
    }
    try add(root: 1, isTable: true, .schema, pages)
    // A crafted list may refer to one root page in every entry.
    var roots: Set<UInt32> = [1]
    for entry in schema.entries where entry.root > 0 && roots.insert(entry.root).inserted {
      let title = schema.title(ofTable: entry.table)
      let owner: PageOwner =
        entry.type == "table" ? .objects(of: title) : .index(entry.name, of: title)
      try add(
        root: entry.root, isTable: entry.type == "table" && !entry.isWithoutRowID, owner, pages)
    }
  }

  private mutating func number(of owner: PageOwner) -> UInt32 {
    if let number = numbers[owner] { return number }
    owners.append(owner)
    numbers[owner] = UInt32(owners.count)
    return UInt32(owners.count)
  }

  private mutating func set(_ owner: PageOwner, of page: UInt32) {
    set(number(of: owner), of: page)
  }

  private mutating func set(_ number: UInt32, of page: UInt32) {
    if Int(page) < ownerOfPage.count {
      ownerOfPage[Int(page)] = number
    } else {
      ownerBeyond[page] = number
    }
  }

  /// Returns the owner of a page that a structure of the file refers to, or `nil`.
  private func known(_ page: UInt32) -> PageOwner? {
    let number =
      Int(page) < ownerOfPage.count ? ownerOfPage[Int(page)] : ownerBeyond[page] ?? 0
    return number > 0 ? owners[Int(number) - 1] : nil
  }

  private mutating func add(
    root: UInt32, isTable: Bool, _ owner: PageOwner, _ pages: StoredPages
  ) throws {
    let scan = try TreeScan(pages: pages, root: root, isTable: isTable, readsRecords: false) { _ in
    }
    let number = number(of: owner)
    scan.pages.forEach { set(number, of: $0) }
    for gap in scan.gaps
    where unreadablePairs.insert(UInt64(number) << 32 | UInt64(gap.page)).inserted {
      unreadable.append((gap.page, owner))
    }
  }

  /// Returns the number of pages of each owner that the file or the log contains.
  package func counts(in pages: StoredPages) -> [PageOwner: Int] {
    var counts: [PageOwner: Int] = [:]
    for page in pages.present {
      if let owner = known(page) { counts[owner, default: 0] += 1 }
    }
    return counts
  }

  /// Returns the owner of a page.
  package func owner(of page: UInt32) -> PageOwner {
    if let owner = known(page) { return owner }
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
    pages.isSealed && isKnown(zeroPage) && known(zeroPage) != .freeSpace
  }

  /// Returns whether a structure of the file refers to the page.
  package func isKnown(_ page: UInt32) -> Bool { known(page) != nil }
}
