import ObjectVaultKeys

/// A record that was read from its pages.
package struct StoredRecord {
  /// The values, or `nil` if even the record's header could not be read.
  package var record: RecordContent?
  /// The overflow pages that could be followed.
  var overflow: [UInt32]
  /// The overflow page that could not be read.
  var lostPage: UInt32?
}

extension StoredPages {
  /// Returns the record of an entry, including its overflow pages.
  ///
  /// Each overflow page begins with the number of the next one, which is 0 on the last. A chain
  /// that is longer than the file is a circle, and the rest of its record is lost.
  ///
  /// - Parameters:
  ///   - payload: The record's bytes.
  ///   - page: The page of the entry.
  ///   - mayFollow: Returns whether an overflow page is read. Otherwise the chain ends before it.
  /// - Returns: The record.
  /// - Throws: The errors of reading the file and of `mayFollow`.
  package func record(
    of payload: BTreePage.Payload, on page: BTreePage,
    _ mayFollow: (UInt32) throws -> Bool = { _ in true }
  ) throws -> StoredRecord {
    var bytes = Array(page.bytes[payload.local])
    var found = StoredRecord(record: nil, overflow: [], lostPage: nil)
    var next = payload.overflow
    let most = min(presentCount, (payload.count - payload.local.count) / (usableSize - 4) + 1)
    while bytes.count < payload.count {
      guard let number = next, number >= 2, number <= count, found.overflow.count < most,
        try mayFollow(number)
      else {
        // The chain ends too early, so the rest of the record is lost.
        found.lostPage = next.flatMap { $0 >= 2 && $0 <= count ? $0 : nil } ?? page.number
        break
      }
      found.overflow.append(number)
      guard let content = try content(of: number), let after = content.number32(at: 0) else {
        found.lostPage = number
        break
      }
      let wanted = min(payload.count - bytes.count, usableSize - 4)
      bytes += content[4..<4 + wanted]
      next = after
    }
    found.record = RecordContent(bytes, of: payload.count)
    return found
  }

  /// Returns the overflow pages of an entry that can be followed.
  ///
  /// - Parameters:
  ///   - payload: The record's bytes.
  ///   - mayFollow: Returns whether the chain continues on an overflow page.
  /// - Returns: The pages.
  /// - Throws: The errors of reading the file and of `mayFollow`.
  package func overflow(
    of payload: BTreePage.Payload, _ mayFollow: (UInt32) throws -> Bool = { _ in true }
  ) throws -> [UInt32] {
    var pages: [UInt32] = []
    var next = payload.overflow
    var left = payload.count - payload.local.count
    while left > 0, pages.count < presentCount, let number = next, number >= 2, number <= count,
      try mayFollow(number)
    {
      pages.append(number)
      left -= usableSize - 4
      next = left > 0 ? try content(of: number)?.number32(at: 0) : nil
    }
    return pages
  }

  /// Returns the pages of the free list: the pages that hold the list, and the pages that it
  /// contains.
  ///
  /// - Returns: The pages that could be followed, and whether the list is complete.
  /// - Throws: The errors of reading the file.
  func freePages() throws -> (trunks: [UInt32], leaves: [UInt32], isWhole: Bool) {
    guard let header else { return ([], [], false) }
    var trunks: [UInt32] = []
    var leaves: [UInt32] = []
    var seen: Set<UInt32> = []
    var next = header.firstTrunk
    while next != 0 {
      guard next <= count, seen.insert(next).inserted else { return (trunks, leaves, false) }
      trunks.append(next)
      guard let content = try content(of: next), let after = content.number32(at: 0),
        let named = content.number32(at: 4).map(Int.init), named <= usableSize / 4 - 2
      else { return (trunks, leaves, false) }
      for index in 0..<named {
        if let leaf = content.number32(at: 8 + 4 * index), leaf >= 2, leaf <= count {
          leaves.append(leaf)
        }
      }
      next = after
    }
    return (trunks, leaves, true)
  }

  /// Returns whether a page holds pointers to parent pages (SQLite's file format documentation,
  /// section 1.8).
  func isPointerMap(_ number: UInt32) -> Bool {
    guard header?.hasPointerMap == true, number >= 2 else { return false }
    let covered = UInt32(usableSize / 5) + 1
    var place = (number - 2) / covered * covered + 2
    if place == lockBytePage { place += 1 }
    return place == number
  }
}
