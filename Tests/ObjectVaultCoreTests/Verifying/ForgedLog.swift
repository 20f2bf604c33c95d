/// A log or journal of a vault with pages of 4096 bytes that claims the maximum number of pages.
///
/// Its checksums need no key, so anyone who can write to the folder can make it.
enum ForgedLog: CaseIterable, Sendable {
  /// A write-ahead log with the last possible page.
  case writeAheadLog
  /// A rollback journal with the last possible page.
  case rollbackJournal
  /// A rollback journal that ends within its first sector.
  case shortJournal

  /// The end of the file's name.
  var suffix: String { self == .writeAheadLog ? "-wal" : "-journal" }

  /// The number of pages in the file.
  var pageCount: Int { self == .shortJournal ? 0 : 1 }

  var bytes: [UInt8] {
    switch self {
    case .writeAheadLog:
      var log = Self.words([0x377F_0683, 3_007_000, 4096, 0, 1, 2])
      var sum = Self.sum(of: log, after: [0, 0])
      log += Self.words(sum)
      let frame = Self.words([.max, .max])
      sum = Self.sum(of: frame + Self.page, after: sum)
      log += frame
      log += Self.words([1, 2, sum[0], sum[1]])
      return log + Self.page
    case .rollbackJournal:
      var journal = Self.magic + Self.words([1, 0, .max, 512, 4096])
      journal += [UInt8](repeating: 0, count: 512 - journal.count)
      journal += Self.words([.max])
      journal += Self.page
      var sum: UInt32 = 0
      for index in stride(from: 4096 - 200, to: 0, by: -200) { sum += UInt32(Self.page[index]) }
      return journal + Self.words([sum])
    case .shortJournal:
      let header = Self.magic + Self.words([.max, 0, .max, 65_536, 4096])
      return header + [UInt8](repeating: 0, count: 600 - header.count)
    }
  }

  private static let page = [UInt8](repeating: 0xA5, count: 4096)
  private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  private static func words(_ words: [UInt32]) -> [UInt8] {
    var bytes: [UInt8] = []
    for word in words {
      for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
    return bytes
  }

  /// Returns the two sums of a write-ahead log with big-endian checksums.
  private static func sum(of bytes: [UInt8], after sum: [UInt32]) -> [UInt32] {
    var (first, second) = (sum[0], sum[1])
    func word(_ offset: Int) -> UInt32 {
      bytes[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for offset in stride(from: 0, to: bytes.count, by: 8) {
      first = first &+ word(offset) &+ second
      second = second &+ word(offset + 4) &+ first
    }
    return [first, second]
  }
}
