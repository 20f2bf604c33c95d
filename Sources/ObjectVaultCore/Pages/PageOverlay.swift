import Foundation

/// The pages that stand in a file beside the database and are to be read instead of its own.
///
/// A write-ahead log and a rollback journal are never locked themselves, so that opening and closing
/// them beside the engine drops no lock.
struct PageOverlay {
  /// What the pages come from.
  enum Kind: Sendable, Hashable { case writeAheadLog, rollbackJournal }

  let kind: Kind
  /// Where each page's bytes begin in the file.
  private(set) var offsets: [UInt32: Int] = [:]
  /// How many pages the database has.
  private(set) var pageCount: UInt32
  /// How many pages stand there, older versions of the same ones too.
  private(set) var imageCount = 0
  private let file: FileBeside
  private let pageSize: Int

  /// The bytes of a page, as encrypted as those in the database; `nil` for a page it does not hold.
  func bytes(of number: UInt32) -> [UInt8]? {
    guard let offset = offsets[number] else { return nil }
    let bytes = file.read(at: offset, count: pageSize)
    return bytes.count == pageSize ? bytes : nil
  }
}

extension PageOverlay {
  /// The committed pages of a write-ahead log; `nil` where there is none or none is committed.
  ///
  /// After a header of 32 bytes comes a frame for each page: its number, the number of pages of the
  /// database where it ends a commit, two numbers that the header has too, and the checksum of all
  /// until there (SQLite's file format documentation, section 4). The first frame that does not
  /// fit ends it.
  init?(writeAheadLog path: String, pageSize: Int) {
    guard let file = FileBeside(path), file.size >= 32 + 24 + pageSize else { return nil }
    let header = file.read(at: 0, count: 32)
    guard let magic = header.number32(at: 0), magic & 0xFFFF_FFFE == 0x377F_0682,
      header.number32(at: 8).map(Int.init) == pageSize
    else { return nil }
    var sum = Checksum(isBigEndian: magic & 1 == 1)
    sum.add(header[0..<24])
    guard header.number32(at: 24) == sum.first, header.number32(at: 28) == sum.second else {
      return nil
    }
    self.init(kind: .writeAheadLog, pageCount: 0, file: file, pageSize: pageSize)
    var pending: [UInt32: Int] = [:]
    var pendingCount = 0
    var offset = 32
    while offset + 24 + pageSize <= file.size {
      let frame = file.read(at: offset, count: 24 + pageSize)
      guard frame.count == 24 + pageSize, frame[8..<16] == header[16..<24],
        let number = frame.number32(at: 0), number > 0, let count = frame.number32(at: 4)
      else { break }
      sum.add(frame[0..<8])
      sum.add(frame[24...])
      guard frame.number32(at: 16) == sum.first, frame.number32(at: 20) == sum.second else { break }
      pending[number] = offset + 24
      pendingCount += 1
      if count > 0 {
        offsets.merge(pending) { $1 }
        imageCount += pendingCount
        pageCount = count
        pending = [:]
        pendingCount = 0
      }
      offset += 24 + pageSize
    }
    guard pageCount > 0 else { return nil }
  }

  /// The pages as they were before the transaction that a rollback journal undoes; `nil` where
  /// there is none or it holds nothing.
  ///
  /// Each part begins with a header (8 fixed bytes, the number of pages in the part, the start of
  /// their checksums, the number of pages of the database before, the size of a sector) and goes on
  /// with pages: number, bytes, checksum (section 3 of the same).
  init?(rollbackJournal path: String, pageSize: Int) {
    guard let file = FileBeside(path), file.size > 512 else { return nil }
    let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    var offset = 0
    self.init(kind: .rollbackJournal, pageCount: 0, file: file, pageSize: pageSize)
    var isFirst = true
    while offset + 28 <= file.size {
      let header = file.read(at: offset, count: 28)
      guard header.starts(with: magic), var count = header.number32(at: 8).map(Int.init),
        let nonce = header.number32(at: 12), let before = header.number32(at: 16),
        let sector = header.number32(at: 20).map(Int.init), (28...65536).contains(sector)
      else { break }
      if isFirst { pageCount = before }
      isFirst = false
      offset += sector
      let entry = pageSize + 8
      // Before the journal is on the disk, its own length tells how many pages there are.
      if count == 0xFFFF_FFFF || count == 0 { count = (file.size - offset) / entry }
      for _ in 0..<count {
        let bytes = file.read(at: offset, count: entry)
        guard bytes.count == entry, let number = bytes.number32(at: 0), number > 0,
          bytes.number32(at: entry - 4) == Self.checksum(bytes[4..<entry - 4], nonce)
        else { return }
        if offsets[number] == nil { offsets[number] = offset + 4 }
        imageCount += 1
        offset += entry
      }
      offset = (offset + sector - 1) / sector * sector
    }
    guard !isFirst else { return nil }
  }

  /// The sum of every 200th byte, from the end on.
  private static func checksum(_ page: ArraySlice<UInt8>, _ nonce: UInt32) -> UInt32 {
    var sum = nonce
    var index = page.count - 200
    while index > 0 {
      sum = sum &+ UInt32(page[page.startIndex + index])
      index -= 200
    }
    return sum
  }

  private init(kind: Kind, pageCount: UInt32, file: FileBeside, pageSize: Int) {
    self.kind = kind
    self.pageCount = pageCount
    self.file = file
    self.pageSize = pageSize
  }

  /// The running checksum of a write-ahead log.
  private struct Checksum {
    let isBigEndian: Bool
    var first: UInt32 = 0
    var second: UInt32 = 0

    mutating func add(_ bytes: ArraySlice<UInt8>) {
      bytes.withUnsafeBytes { bytes in
        for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
          first = first &+ word(bytes, offset) &+ second
          second = second &+ word(bytes, offset + 4) &+ first
        }
      }
    }

    private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }
  }
}

/// A log or journal beside a database, open for reading.
private final class FileBeside: Sendable {
  private let descriptor: Int32
  let size: Int

  init?(_ path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    let isThere = descriptor >= 0 && fstat(descriptor, &status) == 0
    size = isThere ? Int(status.st_size) : 0
    guard isThere else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Up to `count` bytes; fewer at the end of the file.
  func read(at offset: Int, count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = pread(descriptor, &bytes, count, off_t(offset))
    return Array(bytes.prefix(max(0, got)))
  }
}
