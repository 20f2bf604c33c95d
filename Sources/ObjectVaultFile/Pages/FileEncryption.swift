import Foundation
import ObjectVaultDriver
package import ObjectVaultEngine
package import ObjectVaultKeys

/// The encryption of a file that may be damaged, proven by any of its pages.
package struct FileEncryption: Sendable {
  /// The cipher, or `nil` for an unencrypted file.
  package let cipher: FileCipher?
  package let pageSize: Int
  package let firstPage: ExaminedFile.FirstPage

  package var info: CipherInfo? { cipher?.info }

  /// Creates the encryption of a file whose cipher is known.
  package init(_ cipher: FileCipher) {
    self.cipher = cipher
    pageSize = cipher.pageSize
    firstPage = .sound
  }

  /// Creates the description of an unencrypted file.
  ///
  /// - Throws: `.noKey` for a file that is encrypted, `.damaged` if page 1 contains an impossible
  ///   page size.
  package init(inClear path: String, held: HeldFile) throws {
    cipher = nil
    pageSize = try Self.clearPageSize(path, held)
    firstPage = .sound
  }

  /// Examines a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - held: The open file.
  ///   - key: The key of the file, or `nil` for an unencrypted file.
  ///   - recogniser: The formats and settings to try.
  /// - Throws: The errors of ``FormatRecogniser/examine(file:size:key:hasJournal:read:)``; `.noKey` and
  ///   `.damaged` for a file that is encrypted or damaged if no key is given.
  package init(
    examining path: String, held: HeldFile, key: ResolvedKey?, recogniser: FormatRecogniser
  ) throws {
    guard let key else {
      try self.init(inClear: path, held: held)
      return
    }
    try self.init(examining: path, size: held.size, key: key, recogniser: recogniser) {
      offset, count in try held.read(at: offset, count: count)
    }
  }

  /// Examines an encrypted file of a size in bytes that a closure reads.
  ///
  /// - Throws: The errors of ``FormatRecogniser/examine(file:size:key:hasJournal:read:)``.
  package init(
    examining path: String, size: Int, key: ResolvedKey, recogniser: FormatRecogniser,
    read: StoredPages.Reader
  ) throws {
    var recogniser = recogniser
    let found = try recogniser.examine(
      file: path, size: Int64(size), key: key, hasJournal: OpenedFile.hasJournal(path)
    ) { offset, count in try read(Int(offset), count) }
    cipher = FileCipher(
      scheme: found.file.scheme, pageSize: found.file.pageSize, rawKey: found.file.rawKey,
      salt: found.file.salt)
    pageSize = found.file.pageSize
    firstPage = found.firstPage
  }

  private static func clearPageSize(_ path: String, _ held: HeldFile) throws -> Int {
    let start = try held.read(at: 0, count: 100)
    guard CipherFormat.isPlain(start), !CipherFormat.hasPlaintextHeader(start) else {
      throw VaultError(
        .noKey, "'\(path)' is not an unencrypted SQLite database. Provide the key that encrypts it."
      )
    }
    guard let size = start.number16(at: 16) else {
      throw VaultError(
        .damaged, "'\(path)' ends within the header of page 1. Restore the file from a backup.")
    }
    let pageSize = size == 1 ? 65536 : size
    guard CipherFormat.pageSizes.contains(pageSize) else {
      throw VaultError(
        .damaged,
        "Page 1 of '\(path)' has the page size \(pageSize), which is not possible. Restore the "
          + "file from a backup.")
    }
    return pageSize
  }

  /// Opens a connection with the known key.
  package func connect(
    _ path: String, _ mode: Connection.Mode, options: ConnectionOptions = ConnectionOptions()
  ) throws -> Connection {
    try cipher.connect(path, mode, options: options)
  }

  /// Returns the pages of the file.
  ///
  /// A rollback journal next to the file is applied if `usesJournal` is `true`. It must not be
  /// applied while another process is writing.
  package func pages(of path: String, held: HeldFile, usesJournal: Bool) throws -> StoredPages {
    try pages(of: path, size: held.size, usesJournal: usesJournal) { offset, count in
      try held.read(at: offset, count: count)
    }
  }

  /// Returns the pages of the file itself, without those of a log or journal.
  package func pagesWithoutLog(held: HeldFile) throws -> StoredPages {
    try StoredPages(
      fileSize: held.size, pageSize: pageSize, decryption: cipher.map(PageDecryption.init),
      overlay: nil
    ) { offset, count in try held.read(at: offset, count: count) }
  }

  /// Returns whether the write-ahead log next to the file belongs to another file: page 1 of the
  /// file authenticates with the key, and no page of the log does.
  ///
  /// Such a log remains if a program is killed and its file is then replaced by a copy. The engine
  /// would play it into the file.
  package func hasForeignLog(_ path: String, held: HeldFile) throws -> Bool {
    let log = path + "-wal"
    guard let cipher, LeftoverFile.hasContent(log), cipher.scheme.isSealed,
      let decryption = try? PageDecryption(cipher)
    else { return false }
    // The first page of a log of this file decides it, so that a long log is not read.
    if let (number, page) = PageOverlay.firstPage(ofLog: log, pageSize: pageSize),
      case .content = decryption.state(of: page, number: number)
    {
      return false
    }
    let own = try held.read(at: 0, count: pageSize)
    guard own.count == pageSize, case .content = decryption.state(of: own, number: 1),
      let overlay = PageOverlay(writeAheadLog: log, pageSize: pageSize)
    else { return false }
    return overlay.offsets.keys.allSatisfy { number in
      guard let page = overlay.bytes(of: number), page.count == pageSize else { return false }
      return decryption.state(of: page, number: number) == .bad
    }
  }

  /// Checks that the write-ahead log next to the file does not belong to another file.
  ///
  /// - Throws: `.damaged` if it does.
  package func checkLog(of path: String, held: HeldFile) throws {
    guard try hasForeignLog(path, held: held) else { return }
    throw VaultError(
      .damaged,
      "The write-ahead log '\(path)-wal' belongs to another file: none of its pages authenticates "
        + "with the key of '\(path)', but page 1 of the file does. It was left there when the file "
        + "was replaced. Move the log away, and open the file again.")
  }

  /// Returns the pages of a file of a size in bytes that a closure reads.
  package func pages(
    of path: String, size: Int, usesJournal: Bool, read: @escaping StoredPages.Reader
  ) throws -> StoredPages {
    try StoredPages(
      fileSize: size, pageSize: pageSize, decryption: cipher.map(PageDecryption.init),
      overlay: PageOverlay(beside: path, pageSize: pageSize, usesJournal: usesJournal), read: read)
  }
}

extension FileCipher {
  /// Checks the plaintext header that the engine would read, in a log or journal next to the file or
  /// in the file itself.
  ///
  /// It is not authenticated, and the engine would accept another number of reserved bytes. Does
  /// nothing for an encrypted header.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - held: The open file.
  ///   - usesJournal: Whether a rollback journal next to the file is applied.
  /// - Throws: `.damaged` if the header is invalid.
  package func checkHeader(of path: String, held: HeldFile, usesJournal: Bool = true) throws {
    guard scheme.header == .plaintext else { return }
    let overlay = try PageOverlay(beside: path, pageSize: pageSize, usesJournal: usesJournal)
    let page = try overlay?.bytes(of: 1) ?? held.read(at: 0, count: pageSize)
    if !hasValidHeader(page) { throw KeyError.damagedHeader(path) }
  }
}

extension PageOverlay {
  /// Creates the overlay from the log or journal next to a database, or returns `nil` if there is
  /// neither.
  ///
  /// - Throws: `.damaged` for a journal that SQLite does not leave: for pages of another size, or
  ///   next to a log.
  init?(beside path: String, pageSize: Int, usesJournal: Bool) throws(VaultError) {
    let log = PageOverlay(writeAheadLog: path + "-wal", pageSize: pageSize)
    let journal =
      usesJournal
      ? try PageOverlay(rollbackJournal: path + "-journal", pageSize: pageSize) : nil
    // The engine would first roll the journal back into the file, and then read the log.
    guard log == nil || journal == nil else {
      throw VaultError(
        .damaged,
        "'\(path)' has a write-ahead log and a rollback journal, but SQLite leaves only one of "
          + "them. The file may be malicious. Restore it from a backup, or move the journal "
          + "'\(path)-journal' away.")
    }
    guard let overlay = log ?? journal else { return nil }
    self = overlay
  }
}
