import Foundation
import ObjectVaultDriver
import ObjectVaultKeys

/// The pages in a log or journal next to a database, which replace the pages of the database.
///
/// A write-ahead log and a rollback journal are never locked themselves, so opening and closing
/// them while the engine uses them drops no lock.
package struct PageOverlay {
  /// The kind of file that holds the pages.
  package enum Kind: Sendable, Hashable { case writeAheadLog, rollbackJournal }

  package let kind: Kind
  /// The offset of each page's bytes in the file.
  private(set) package var offsets: [UInt32: Int] = [:]
  /// The number of pages of the database.
  private(set) var pageCount: UInt32
  /// The number of stored page images, including older versions of the same pages.
  private(set) var imageCount = 0
  private let file: FileBeside
  /// The number of bytes of a page that the file holds; at most a whole page.
  private let storedSize: Int
  /// The salt values of the log, which each of its frames has; empty for a journal.
  private let logSalt: [UInt8]

  /// Returns the bytes of a page, encrypted like the pages of the database, or `nil` if the overlay
  /// does not contain it.
  ///
  /// A page of which the file holds only the start is incomplete. The database's own page is not
  /// valid then.
  ///
  /// A page of a log that was started again in the meantime is `nil`: the log is started again only
  /// after all of its pages are in the database.
  func bytes(of number: UInt32) -> [UInt8]? {
    guard let offset = offsets[number] else { return nil }
    let bytes = file.read(at: offset, count: storedSize)
    if kind == .rollbackJournal { return bytes }
    // The engine writes the header of a frame before its page. If the header has not changed after
    // the page was read, the page had not changed either. The rest of a log may be cut off.
    let isUnchanged = file.read(at: offset - 16, count: logSalt.count) == logSalt
    return isUnchanged && bytes.count == storedSize ? bytes : nil
  }
}

extension PageOverlay {
  /// Reads the committed pages of a write-ahead log, or returns `nil` if the log is missing or has
  /// no committed page.
  ///
  /// A header of 32 bytes is followed by a frame for each page. A frame consists of the page
  /// number, the number of pages of the database if the frame ends a commit, two salt values that
  /// the header also has, the checksum of everything up to there, and the page (SQLite's file
  /// format documentation, section 4). The first invalid frame ends the log.
  ///
  /// The header also has the size of the pages in the log. If it is not that of the database, the
  /// engine reads the start of each page.
  init?(writeAheadLog path: String, pageSize: Int) {
    guard let file = FileBeside(path) else { return nil }
    let header = file.read(at: 0, count: 32)
    // A process that was killed can leave a part of the header.
    guard header.count == 32, let magic = header.number32(at: 0),
      magic & 0xFFFF_FFFE == 0x377F_0682,
      let size = header.number32(at: 8).map(Int.init), CipherFormat.pageSizes.contains(size)
    else { return nil }
    var sum = Checksum(isBigEndian: magic & 1 == 1)
    sum.add(header[0..<24])
    guard header.number32(at: 24) == sum.first, header.number32(at: 28) == sum.second else {
      return nil
    }
    self.init(
      kind: .writeAheadLog, pageCount: 0, file: file, storedSize: min(size, pageSize),
      logSalt: Array(header[16..<24]))
    var pending: [UInt32: Int] = [:]
    var pendingCount = 0
    var offset = 32
    while offset + 24 + size <= file.size {
      let frame = file.read(at: offset, count: 24 + size)
      guard frame.count == 24 + size, frame[8..<16] == header[16..<24],
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
      offset += 24 + size
    }
    guard pageCount > 0 else { return nil }
  }

  /// Returns the number and the bytes of the page in the first frame of a write-ahead log, without
  /// checking its checksum; `nil` if the log has pages of another size or no page.
  static func firstPage(ofLog path: String, pageSize: Int) -> (number: UInt32, page: [UInt8])? {
    guard let file = FileBeside(path) else { return nil }
    let start = file.read(at: 0, count: 32 + 24 + pageSize)
    guard start.count == 32 + 24 + pageSize, let size = start.number32(at: 8), size == pageSize,
      let number = start.number32(at: 32), number > 0
    else { return nil }
    return (number, Array(start[56...]))
  }

  /// Reads the pages from before the transaction that a rollback journal undoes, or returns `nil`
  /// if the journal is missing or empty.
  ///
  /// Each section begins with a header (8 fixed bytes, the number of pages in the section, the
  /// initial value of their checksums, the former number of pages of the database, the sector size,
  /// the page size) and continues with pages: number, bytes, checksum (SQLite's file format
  /// documentation, section 3). Like the engine, this reads the last three numbers only from the
  /// first header, and no checksum of a page that it does not use.
  ///
  /// - Throws: `.damaged` for a journal with pages of another size.
  init?(rollbackJournal path: String, pageSize: Int) throws(VaultError) {
    guard let file = FileBeside(path), file.size >= 512 else { return nil }
    let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    let first = file.read(at: 0, count: 28)
    guard first.starts(with: magic), let before = first.number32(at: 16),
      let sector = first.number32(at: 20).map(Int.init), (32...65536).contains(sector),
      sector.nonzeroBitCount == 1, let size = first.number32(at: 24).map(Int.init),
      size == 0 || CipherFormat.pageSizes.contains(size)
    else { return nil }
    guard size == 0 || size == pageSize else {
      throw VaultError(
        .damaged,
        "The rollback journal '\(path)' has pages of \(size) bytes, but the database has pages of "
          + "\(pageSize) bytes. The file may be malicious. Restore it from a backup, or move the "
          + "journal away.")
    }
    self.init(
      kind: .rollbackJournal, pageCount: before, file: file, storedSize: pageSize, logSalt: [])
    let entry = pageSize + 8
    let lockBytePage = CipherFormat.lockBytePage(pageSize: pageSize)
    var offset = 0
    while offset == 0 || offset + sector <= file.size {
      let header = file.read(at: offset, count: 16)
      guard header.starts(with: magic), var count = header.number32(at: 8).map(Int.init),
        let nonce = header.number32(at: 12)
      else { return }
      // Without synchronization, the number of pages follows from the length. It is 0 before the
      // journal is synchronized. None of its pages is changed in the database then.
      if count == 0xFFFF_FFFF { count = max(0, (file.size - sector) / entry) }
      offset += sector
      for _ in 0..<count {
        let bytes = file.read(at: offset, count: entry)
        guard bytes.count == entry, let number = bytes.number32(at: 0), number > 0,
          number != lockBytePage
        else { return }
        imageCount += 1
        if number <= before, offsets[number] == nil {
          guard bytes.number32(at: entry - 4) == Self.checksum(bytes[4..<entry - 4], nonce) else {
            return
          }
          offsets[number] = offset + 4
        }
        offset += entry
      }
      offset = (offset + sector - 1) / sector * sector
    }
  }

  /// Returns the sum of every 200th byte, counted from the end.
  private static func checksum(_ page: ArraySlice<UInt8>, _ nonce: UInt32) -> UInt32 {
    var sum = nonce
    var index = page.count - 200
    while index > 0 {
      sum = sum &+ UInt32(page[page.startIndex + index])
      index -= 200
    }
    return sum
  }

  private init(
    kind: Kind, pageCount: UInt32, file: FileBeside, storedSize: Int, logSalt: [UInt8]
  ) {
    self.kind = kind
    self.pageCount = pageCount
    self.file = file
    self.storedSize = storedSize
    self.logSalt = logSalt
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

/// A log or journal next to a database, open for reading.
private final class FileBeside: Sendable {
  private let path: String
  private let descriptor: Int32
  let size: Int

  init?(_ path: String) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    let isThere = descriptor >= 0 && fstat(descriptor, &status) == 0
    size = isThere ? Int(status.st_size) : 0
    guard isThere else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Returns up to `count` bytes; fewer at the end of the file, and none if it cannot be read.
  func read(at offset: Int, count: Int) -> [UInt8] {
    (try? HeldFile.read(descriptor, at: offset, count: count, path)) ?? []
  }
}
