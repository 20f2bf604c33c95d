import Foundation

/// A rollback journal that the engine plays into a file, although it is not one that SQLite leaves.
///
/// Its checksums need no key.
enum ForgedJournal: CaseIterable, Sendable {
  /// A journal whose second header has no sector size.
  case secondHeader
  /// A journal next to a write-ahead log.
  case besideLog
  /// A journal with pages of twice the size.
  case otherPageSize

  private static let sectorSize = 512

  /// Writes a file, and a journal that turns it into another file of the same size.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - file: The contents of the file.
  ///   - target: The contents after the engine has rolled the journal back.
  ///   - pageSize: The size of a page of both.
  /// - Throws: The errors of writing.
  func write(_ path: String, _ file: Data, restoring target: Data, pageSize: Int) throws {
    let count = target.count / pageSize
    let last = Data(file.suffix(pageSize))
    var journal = Data()
    switch self {
    case .secondHeader:
      journal += Self.header(count: 1, pageCount: count, sectorSize: 512, pageSize: pageSize)
      journal += Self.record(count, last)
      journal += Data(count: (Self.sectorSize - journal.count % Self.sectorSize) % Self.sectorSize)
      journal += Self.header(
        count: count - 1, pageCount: count, sectorSize: 0, pageSize: pageSize)
      journal += Self.records(of: target.prefix((count - 1) * pageSize), pageSize: pageSize)
    case .besideLog:
      journal += Self.header(
        count: count, pageCount: count, sectorSize: 512, pageSize: pageSize)
      journal += Self.records(of: target, pageSize: pageSize)
      try Self.log(last, number: count, pageSize: pageSize)
        .write(to: URL(fileURLWithPath: path + "-wal"))
    case .otherPageSize:
      let size = 2 * pageSize
      let pages = (count + 1) / 2
      journal += Self.header(count: pages, pageCount: pages, sectorSize: 512, pageSize: size)
      let padding = Data(count: pages * size - target.count)
      journal += Self.records(of: target + padding, pageSize: size)
    }
    try journal.write(to: URL(fileURLWithPath: path + "-journal"))
    try file.write(to: URL(fileURLWithPath: path))
  }

  private static func words(_ words: [UInt32]) -> Data {
    var bytes = Data()
    for word in words {
      withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  private static func header(
    count: Int, pageCount: Int, sectorSize: Int, pageSize: Int
  ) -> Data {
    let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    let numbers = [count, 7, pageCount, sectorSize, pageSize].map { UInt32($0) }
    let header = Data(magic) + words(numbers)
    return header + Data(count: Self.sectorSize - header.count)
  }

  private static func records(of file: Data, pageSize: Int) -> Data {
    let bytes = [UInt8](file)
    var records = Data()
    for start in stride(from: 0, to: bytes.count, by: pageSize) {
      records += record(start / pageSize + 1, Data(bytes[start..<start + pageSize]))
    }
    return records
  }

  /// Returns the number of a page, the page, and the sum of every 200th byte.
  private static func record(_ number: Int, _ page: Data) -> Data {
    let bytes = [UInt8](page)
    var sum: UInt32 = 7
    for index in stride(from: bytes.count - 200, to: 0, by: -200) { sum &+= UInt32(bytes[index]) }
    return words([UInt32(number)]) + page + words([sum])
  }

  /// Returns a log with one page, which ends a commit.
  private static func log(_ page: Data, number: Int, pageSize: Int) -> Data {
    var (first, second): (UInt32, UInt32) = (0, 0)
    func add(_ data: Data) {
      let bytes = [UInt8](data)
      func word(_ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
      }
      for offset in stride(from: 0, to: bytes.count, by: 8) {
        first = first &+ word(offset) &+ second
        second = second &+ word(offset + 4) &+ first
      }
    }
    let header = words([0x377F_0683, 3_007_000, UInt32(pageSize), 0, 1, 2])
    add(header)
    var log = header + words([first, second])
    let frame = words([UInt32(number), UInt32(number)])
    add(frame)
    add(page)
    log += frame
    log += words([1, 2, first, second])
    return log + page
  }
}
