import ObjectVaultKeys

/// The pages of a database file, read, authenticated and decrypted without the engine.
///
/// The engine stops at the first damaged page; this type continues. Pages in a log next to the file
/// are read from there, as the engine does. Instances are not thread-safe.
package final class StoredPages {
  /// The state of a page.
  package enum State: Sendable, Hashable {
    /// The decrypted content.
    case content([UInt8])
    /// Only zeros: a page that was never written.
    case zero
    /// A page that does not authenticate.
    case bad
    /// A page beyond the end of the file.
    case missing
  }

  /// Returns up to `count` bytes at an offset of the file; fewer at its end.
  package typealias Reader = (_ offset: Int, _ count: Int) throws -> [UInt8]

  package let pageSize: Int
  /// The size of the database file in bytes.
  package let fileSize: Int
  /// The pages that are read instead of the file's own pages.
  package let overlay: PageOverlay?
  /// The number of pages of the database.
  private(set) package var count: UInt32 = 0
  /// The number of the last page that the file itself contains; at least 1.
  ///
  /// Page 1 may claim any number of pages.
  private var lastInFile: UInt32 = 1
  /// The pages after the end of the file that the log contains, in order.
  ///
  /// They may have any number, because nothing authenticates the numbers in a log.
  private var pagesAfterEnd: [UInt32] = []
  /// The number of bytes of a page that are not reserved.
  private(set) package var usableSize: Int
  /// The fields of page 1 that describe the database, or `nil` if page 1 is lost.
  private(set) package var header: DatabaseFields?
  /// The text encoding.
  ///
  /// If page 1 is lost, the most common one.
  private(set) package var encoding = TextEncoding.utf8

  private let read: Reader
  private let cipher: PageDecryption?

  /// Reads the header and determines the number and layout of the pages.
  ///
  /// - Parameters:
  ///   - fileSize: The size of the file in bytes.
  ///   - pageSize: The size of a page in bytes.
  ///   - decryption: The decryption of the pages, or `nil` for an unencrypted file.
  ///   - overlay: The pages in a log or journal next to the file.
  ///   - read: Reads the file. Its errors are rethrown.
  /// - Throws: The errors of `read`.
  package init(
    fileSize: Int, pageSize: Int, decryption: PageDecryption?, overlay: PageOverlay?,
    read: @escaping Reader
  ) throws {
    self.fileSize = fileSize
    self.pageSize = pageSize
    self.cipher = decryption
    self.overlay = overlay
    self.read = read
    usableSize = pageSize - (decryption?.reservedCount ?? 0)
    let whole = UInt32(clamping: fileSize / pageSize)
    count = max(1, whole)
    if case .content(let first) = try state(of: 1), let fields = DatabaseFields(first) {
      header = fields
      encoding = fields.encoding
      usableSize = pageSize - fields.reservedCount
      // Nothing authenticates the number of pages in a plaintext header.
      let least = decryption?.hasPlaintextHeader == true ? count : 1
      count = fields.pageCount.map { max(least, $0) } ?? count
    } else {
      usableSize = try guessedUsableSize()
    }
    if let overlay { count = max(1, overlay.pageCount) }
    let (last, end) = (min(max(1, whole), count), count)
    lastInFile = last
    pagesAfterEnd = (overlay?.offsets.keys.filter { $0 > last && $0 <= end } ?? []).sorted()
  }

  /// The number of pages that the file or the log contains.
  package var presentCount: Int { Int(lastInFile) + pagesAfterEnd.count }

  /// The pages that the file or the log contains, in order.
  package var present: some Sequence<UInt32> {
    var ranges = [1...lastInFile]
    for page in pagesAfterEnd { ranges.append(page...page) }
    return ranges.joined()
  }

  /// Returns the first pages of the database that neither the file nor the log contains.
  ///
  /// - Parameter limit: The maximum number of pages.
  /// - Returns: The pages, in order.
  package func missingPages(limit: Int) -> [UInt32] {
    var missing: [UInt32] = []
    var next = Int(lastInFile) + 1
    for page in pagesAfterEnd.map(Int.init) + [Int(count) + 1] {
      while next < page, missing.count < limit {
        missing.append(UInt32(next))
        next += 1
      }
      next = page + 1
    }
    return missing
  }

  /// Returns the state of a page as seen by readers of the database, including the log.
  package func state(of number: UInt32) throws -> State {
    try state(of: number, bytes: overlay?.bytes(of: number) ?? stored(number))
  }

  /// Returns the content of a page, or `nil` if it is damaged, missing, or was never written.
  func content(of number: UInt32) throws -> [UInt8]? {
    guard number >= 1, number <= count else { return nil }
    if case .content(let bytes) = try state(of: number) { return bytes }
    return nil
  }

  /// Returns the content of a page without authenticating it.
  ///
  /// - Parameter number: The number of the page, from 1.
  /// - Returns: The decrypted bytes; zeros for a page that is missing or was never written.
  /// - Throws: The errors of reading.
  package func unauthenticatedContent(of number: UInt32) throws -> [UInt8] {
    let bytes = try overlay?.bytes(of: number) ?? stored(number)
    let isWritten = bytes.count == pageSize && number != lockBytePage && bytes.contains { $0 != 0 }
    guard isWritten else { return [UInt8](repeating: 0, count: pageSize) }
    return cipher.map { $0.unauthenticatedContent(of: bytes, number: number) } ?? bytes
  }

  /// Returns a page of a table or an index, or `nil` if the page is of another kind or damaged.
  package func tree(_ number: UInt32) throws -> BTreePage? {
    try content(of: number).flatMap { BTreePage($0, number: number, usableSize: usableSize) }
  }

  /// Whether pages carry authentication codes.
  var isSealed: Bool { cipher?.isSealed ?? false }

  /// The number of the page with SQLite's lock bytes, in a database of sufficient size.
  var lockBytePage: UInt32 { CipherFormat.lockBytePage(pageSize: pageSize) }

  private func stored(_ number: UInt32) throws -> [UInt8] {
    try read((Int(number) - 1) * pageSize, pageSize)
  }

  private func state(of number: UInt32, bytes: [UInt8]) throws -> State {
    guard bytes.count == pageSize else { return .missing }
    if number == lockBytePage { return .zero }
    guard let cipher else {
      return bytes.contains { $0 != 0 } ? .content(bytes) : .zero
    }
    return cipher.state(of: bytes, number: number)
  }

  /// Returns the usable size of the pages if page 1 is lost, estimated from the pages of tables and
  /// indexes.
  ///
  /// SQLCipher 4 reserves as much space for older formats as for its own.
  private func guessedUsableSize() throws -> Int {
    guard cipher != nil else { return usableSize }
    let candidates = [usableSize, pageSize - CipherFormat.format4.reservedCount]
    var votes = [0, 0]
    var number: UInt32 = 2
    while number <= count, votes.max() ?? 0 < 20 {
      if let bytes = try content(of: number) {
        for (index, candidate) in candidates.enumerated() {
          let page = BTreePage(bytes, number: number, usableSize: candidate)
          if let page, !page.cells.isEmpty, page.fills(candidate) { votes[index] += 1 }
        }
      }
      number += 1
    }
    return votes[1] > votes[0] ? candidates[1] : candidates[0]
  }
}

/// The authentication and decryption of the pages of an encrypted file.
package final class PageDecryption {
  private let seal: PageSeal
  private let cipher: PageCipher
  /// Whether pages carry authentication codes, as in all formats except the first.
  let isSealed: Bool

  var reservedCount: Int { cipher.scheme.reservedCount }

  /// Whether the first bytes of page 1 are not authenticated.
  var hasPlaintextHeader: Bool { cipher.scheme.header == .plaintext }

  package init(_ file: FileCipher) throws {
    seal = try file.pageSeal()
    cipher = try file.rawKey.withSecret { rawKey throws(KeyError) in
      try PageCipher(scheme: file.scheme, pageSize: file.pageSize, rawKey: rawKey)
    }
    isSealed = file.scheme.isSealed
  }

  /// Returns the content of a page without authenticating it.
  func unauthenticatedContent(of page: [UInt8], number: UInt32) -> [UInt8] {
    page.withUnsafeBytes { cipher.decrypt($0, number: number) ?? [] }
  }

  func state(of page: [UInt8], number: UInt32) -> StoredPages.State {
    page.withUnsafeBytes { bytes in
      switch seal.check(bytes, number: number) {
      case .lockBytes, .zero: return .zero
      case .broken: return .bad
      case .notSealed where page.allSatisfy { $0 == 0 }: return .zero
      case .authentic, .notSealed:
        return cipher.decrypt(bytes, number: number).map { .content($0) } ?? .bad
      }
    }
  }
}

/// The fields of SQLite's file header that determine how to read the file.
///
/// They are described in SQLite's file format documentation, section 1.3.
package struct DatabaseFields: Sendable, Hashable {
  let reservedCount: Int
  /// The number of pages, or `nil` if the last writer did not store it.
  let pageCount: UInt32?
  let firstTrunk: UInt32
  let freeCount: UInt32
  /// Whether the file has pages for pointers to parent pages (`auto_vacuum`).
  package let hasPointerMap: Bool
  package let isIncrementalVacuum: Bool
  let encoding: TextEncoding
  package let userVersion: Int32
  package let applicationID: Int32

  /// Parses the header, or returns `nil` if the page cannot be the first page of a database.
  ///
  /// - Parameter page: Page 1, decrypted.
  init?(_ page: [UInt8]) {
    guard page.starts(with: CipherFormat.plainStart), let size = page.number16(at: 16),
      size == 1 ? page.count == 65536 : page.count == size,
      let reserved = page.number8(at: 20), let changes = page.number32(at: 24),
      let count = page.number32(at: 28), let trunk = page.number32(at: 32),
      let free = page.number32(at: 36), let largestRoot = page.number32(at: 52),
      let text = page.number32(at: 56), let userVersion = page.number32(at: 60),
      let incremental = page.number32(at: 64), let application = page.number32(at: 68),
      let validFor = page.number32(at: 92), page.count - Int(reserved) >= 400
    else { return nil }
    reservedCount = Int(reserved)
    pageCount = count > 0 && changes == validFor ? count : nil
    firstTrunk = trunk
    freeCount = free
    hasPointerMap = largestRoot > 0
    isIncrementalVacuum = incremental != 0
    // A database without a table has no encoding yet.
    encoding = TextEncoding(rawValue: text) ?? .utf8
    self.userVersion = Int32(bitPattern: userVersion)
    applicationID = Int32(bitPattern: application)
  }
}
