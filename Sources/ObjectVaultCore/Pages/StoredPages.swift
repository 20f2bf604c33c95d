import ObjectVaultKeys

/// The pages of a database file, read, authenticated and decrypted without the engine.
///
/// The engine gives up at the first bad page that it meets; this goes on. Pages that a log beside the
/// file holds are read from there, as the engine would.
///
/// Not for several threads at a time.
final class StoredPages {
  /// What stands at a page's place.
  enum State: Sendable, Hashable {
    /// Its content, decrypted.
    case content([UInt8])
    /// Only zeros: a page that was never written.
    case zero
    /// It does not authenticate.
    case bad
    /// The file ends before.
    case missing
  }

  /// Reads up to so many bytes at an offset of the file; fewer at its end.
  typealias Reader = (_ offset: Int, _ count: Int) throws -> [UInt8]

  let pageSize: Int
  /// The size of the database file in bytes.
  let fileSize: Int
  /// What is read instead of the file's own pages.
  let overlay: PageOverlay?
  /// How many pages the database has.
  private(set) var count: UInt32 = 0
  /// The number of the last page that the file or the log holds: page 1 may tell of any number of others.
  private(set) var lastPresent: UInt32 = 0
  /// The bytes of a page that are not reserved.
  private(set) var usableSize: Int
  /// The fields of page 1 that say what kind of database it is; `nil` where page 1 is lost.
  private(set) var header: DatabaseFields?
  /// How texts are written; what most files have where page 1 is lost.
  private(set) var encoding = TextEncoding.utf8

  private let read: Reader
  private let cipher: PageDecryption?

  /// - Parameters:
  ///   - decryption: How pages are authenticated and decrypted; `nil` for a file in clear.
  ///   - read: Reads the file; what it throws is passed on.
  init(
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
    lastPresent = max(1, whole, overlay?.offsets.keys.max() ?? 0)
    if case .content(let first) = try state(of: 1), let fields = DatabaseFields(first) {
      header = fields
      encoding = fields.encoding
      usableSize = pageSize - fields.reservedCount
      count = fields.pageCount.map { max(1, $0) } ?? count
    } else {
      usableSize = try guessedUsableSize()
    }
    if let overlay { count = max(1, overlay.pageCount) }
    lastPresent = min(lastPresent, count)
  }

  /// What stands at a page's place, as readers of the database see it.
  func state(of number: UInt32) throws -> State {
    try state(of: number, bytes: overlay?.bytes(of: number) ?? stored(number))
  }

  /// What stands at a page's place in the file itself.
  func stateInFile(of number: UInt32) throws -> State {
    try state(of: number, bytes: stored(number))
  }

  /// The content of a page; `nil` where it is bad, missing, or was never written.
  func content(of number: UInt32) throws -> [UInt8]? {
    guard number >= 1, number <= count else { return nil }
    if case .content(let bytes) = try state(of: number) { return bytes }
    return nil
  }

  /// A page of a table or an index; `nil` where it is none, or bad.
  func tree(_ number: UInt32) throws -> BTreePage? {
    try content(of: number).flatMap { BTreePage($0, number: number, usableSize: usableSize) }
  }

  /// The page of SQLite's lock bytes, where the database is that large.
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

  /// What is reserved at the end of each page, where page 1 does not tell: SQLCipher 4 reserves as
  /// much for older formats as for its own. The pages of tables and indexes tell.
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

/// How the pages of an encrypted file are authenticated and decrypted.
final class PageDecryption {
  private let seal: PageSeal
  private let cipher: PageCipher
  /// Whether pages are authenticated, as those of all formats but the first are.
  let isSealed: Bool

  var reservedCount: Int { cipher.scheme.reservedCount }

  init(_ file: FileCipher) throws {
    seal = try file.pageSeal()
    cipher = try file.rawKey.withSecret { rawKey throws(KeyError) in
      try PageCipher(scheme: file.scheme, pageSize: file.pageSize, rawKey: rawKey)
    }
    isSealed = file.scheme.isSealed
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

/// The fields of SQLite's file header that tell how to read the rest (its file format documentation,
/// section 1.3).
struct DatabaseFields: Sendable, Hashable {
  let reservedCount: Int
  /// The number of pages, where the last writer kept it.
  let pageCount: UInt32?
  let firstTrunk: UInt32
  let freeCount: UInt32
  /// Whether pages are reserved for pointers back to their parents (`auto_vacuum`).
  let hasPointerMap: Bool
  let isIncrementalVacuum: Bool
  let encoding: TextEncoding
  let userVersion: Int32
  let applicationID: Int32

  /// - Parameter page: Page 1, decrypted.
  /// - Returns: `nil` where it cannot begin a database.
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
    // A database without a table has none yet.
    encoding = TextEncoding(rawValue: text) ?? .utf8
    self.userVersion = Int32(bitPattern: userVersion)
    applicationID = Int32(bitPattern: application)
  }
}
