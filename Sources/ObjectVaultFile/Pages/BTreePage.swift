/// A page of a table or an index in SQLite's layout (SQLite's file format documentation, section
/// 1.6).
package struct BTreePage {
  /// The kind of a page, from its first byte.
  package enum Kind: UInt8 {
    case indexInterior = 2
    case tableInterior = 5
    case indexLeaf = 10
    case tableLeaf = 13

    package var isInterior: Bool { self == .indexInterior || self == .tableInterior }
    package var isTable: Bool { self == .tableInterior || self == .tableLeaf }
  }

  /// An entry of a page.
  package struct Cell {
    /// The child page with the entries before this entry.
    var child: UInt32?
    /// The rowid of a row, or the greatest rowid below `child`.
    package var rowID: Int64?
    /// The record, or the part of it on this page.
    package var payload: Payload?
    /// The range of the entry on the page.
    var extent: Range<Int>
  }

  /// The bytes of a record.
  package struct Payload {
    /// The total number of bytes, on this page and on overflow pages.
    var count: Int
    /// The range of the bytes on this page.
    var local: Range<Int>
    /// The first overflow page.
    var overflow: UInt32?
  }

  let number: UInt32
  package let kind: Kind
  let bytes: [UInt8]
  /// The entries in order.
  ///
  /// Malformed and repeated entries are left out.
  package let cells: [Cell]
  /// The child page with the entries after the last entry.
  let rightChild: UInt32?
  /// Whether all entries are well-formed.
  let isWhole: Bool

  /// Parses a page, or returns `nil` if the bytes are not a page of a table or an index.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the page.
  ///   - number: The number of the page.
  ///   - usableSize: The number of bytes of the page that are not reserved.
  init?(_ bytes: [UInt8], number: UInt32, usableSize: Int) {
    let start = number == 1 ? 100 : 0
    guard bytes.count >= usableSize, usableSize >= 400,
      let kind = bytes.number8(at: start).flatMap(Kind.init),
      let count = bytes.number16(at: start + 3)
    else { return nil }
    let pointers = start + (kind.isInterior ? 12 : 8)
    let pointersEnd = pointers + 2 * count
    // The smallest entry needs four bytes, and its pointer two.
    guard pointersEnd <= usableSize, count <= (usableSize - 8) / 6 else { return nil }
    self.number = number
    self.kind = kind
    self.bytes = bytes
    rightChild = kind.isInterior ? bytes.number32(at: start + 8) : nil
    var cells: [Cell] = []
    cells.reserveCapacity(count)
    var offsets: Set<Int> = []
    // Only damage or malice makes entries overlap. Some are accepted, because one that is too long
    // must not hide sound ones.
    var room = 4 * usableSize
    for index in 0..<count {
      guard let offset = bytes.number16(at: pointers + 2 * index), offset >= pointersEnd,
        offsets.insert(offset).inserted,
        let cell = Self.cell(at: offset, in: bytes, kind: kind, usableSize: usableSize),
        cell.extent.count <= room
      else { continue }
      room -= cell.extent.count
      cells.append(cell)
    }
    self.cells = cells
    isWhole = cells.count == count
  }

  /// The child pages, in order.
  package var children: [UInt32] { cells.compactMap(\.child) + (rightChild.map { [$0] } ?? []) }

  private static func cell(
    at start: Int, in bytes: [UInt8], kind: Kind, usableSize: Int
  ) -> Cell? {
    var offset = start
    var child: UInt32?
    if kind.isInterior {
      child = bytes.number32(at: offset)
      offset += 4
    }
    if kind == .tableInterior {
      guard let rowID = bytes.variableNumber(at: &offset), offset <= usableSize else { return nil }
      return Cell(child: child, rowID: rowID, payload: nil, extent: start..<offset)
    }
    guard let count = bytes.variableNumber(at: &offset), (0...0x7FFF_FFFF).contains(count) else {
      return nil
    }
    var rowID: Int64?
    if kind == .tableLeaf {
      rowID = bytes.variableNumber(at: &offset)
      guard rowID != nil else { return nil }
    }
    let local = localCount(of: Int(count), kind: kind, usableSize: usableSize)
    var payload = Payload(count: Int(count), local: offset..<offset + local, overflow: nil)
    var end = offset + local
    if local < Int(count) {
      payload.overflow = bytes.number32(at: end)
      end += 4
    }
    guard end <= usableSize else { return nil }
    // The engine allocates at least four bytes for an entry.
    return Cell(
      child: child, rowID: rowID, payload: payload, extent: start..<max(end, start + 4))
  }

  /// Returns the number of a record's bytes that are stored on the page itself.
  private static func localCount(of count: Int, kind: Kind, usableSize: Int) -> Int {
    let most = kind == .tableLeaf ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
    if count <= most { return count }
    let least = (usableSize - 12) * 32 / 255 - 23
    let rest = least + (count - least) % (usableSize - 4)
    return rest <= most ? rest : least
  }

  /// Returns whether entries, gaps and free space fill the page exactly.
  ///
  /// This is so if the page is whole and has the assumed number of reserved bytes, and hardly ever
  /// otherwise.
  package func fills(_ usableSize: Int) -> Bool {
    let start = number == 1 ? 100 : 0
    guard isWhole, let first = bytes.number16(at: start + 1),
      let content = bytes.number16(at: start + 5), let fragments = bytes.number8(at: start + 7)
    else { return false }
    var taken = cells.map(\.extent)
    var block = first
    while block != 0 {
      guard taken.count <= usableSize, let next = bytes.number16(at: block),
        let size = bytes.number16(at: block + 2), size >= 4, next == 0 || next > block
      else { return false }
      taken.append(block..<block + size)
      block = next
    }
    taken.sort { $0.lowerBound < $1.lowerBound }
    var end = content == 0 ? 65536 : content
    var gaps = 0
    for extent in taken {
      guard extent.lowerBound >= end else { return false }
      gaps += extent.lowerBound - end
      end = extent.upperBound
    }
    return gaps + (usableSize - end) == Int(fragments) && end <= usableSize
  }
}
