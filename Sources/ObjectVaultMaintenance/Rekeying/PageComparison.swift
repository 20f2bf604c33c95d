import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultKeys
import ObjectVaultPlatform

/// A comparison of a copy made page by page with its original, by the contents of all pages.
///
/// The pages are read and decrypted without the engine, which wrote the copy. If they are equal,
/// the copy has every value of the original and no fault of its own: both depend on nothing else.
/// This reads each file once, whereas the check of the structure also looks up each row in each
/// index. The original must not change meanwhile and have an empty log.
struct PageComparison {
  let original: StoredPages
  let copy: StoredPages

  /// The number of pages compared between two progress reports.
  private static let pagesPerStep = 100

  /// Creates a comparison, or returns `nil` if the original is in memory.
  ///
  /// - Parameters:
  ///   - source: The original, to which no other connection has access.
  ///   - copied: A connection to the copy, whose pages are authentic.
  ///   - cipher: The cipher of the copy, or `nil` for an unencrypted copy.
  /// - Throws: Errors of reading the files, and of the cryptographic library.
  init?(source: FileRewriting.Source, copied: Connection, cipher: FileCipher?) throws {
    guard let held = source.held else { return nil }
    let encryption =
      try source.cipher.map(FileEncryption.init)
      ?? FileEncryption(inClear: source.path, held: held)
    original = try encryption.pages(of: source.path, held: held, usesJournal: false)
    copy = try StoredPages(
      fileSize: Int(copied.fileSize), pageSize: encryption.pageSize,
      decryption: cipher.map(PageDecryption.init), overlay: nil
    ) { offset, count in try copied.readRaw(offset: Int64(offset), count: count) }
  }

  /// Compares the pages.
  ///
  /// - Parameter report: Receives the progress in pages of both files.
  /// - Throws: `.damaged` with the number of the first page that differs, and the errors of
  ///   `report`.
  func check(_ report: RewritingReport) throws {
    let count = original.count
    try report(.comparing, 0, 2 * Int(count))
    guard copy.count == count, copy.usableSize == original.usableSize else {
      throw VaultError.copyDiffers(in: "the number or the size of its pages")
    }
    for number in 1...count {
      guard try isEqual(number) else { throw VaultError.copyDiffers(in: "page \(number)") }
      if Int(number).isMultiple(of: Self.pagesPerStep) || number == count {
        try report(.comparing, 2 * Int(number), 2 * Int(count))
      }
    }
  }

  private func isEqual(_ number: UInt32) throws -> Bool {
    var old = try original.unauthenticatedContent(of: number)
    var new = try copy.unauthenticatedContent(of: number)
    if number == 1 {
      for field in Self.ownFields {
        let zeros = repeatElement(UInt8(0), count: field.count)
        old.replaceSubrange(field, with: zeros)
        new.replaceSubrange(field, with: zeros)
      }
    }
    return old.withUnsafeBytes { old in
      new.withUnsafeBytes { new in
        let count = original.usableSize
        guard let first = old.baseAddress, let second = new.baseAddress else { return false }
        return old.count >= count && new.count >= count && memcmp(first, second, count) == 0
      }
    }
  }

  /// The fields of the header that each file has of its own: the forms of the log (18 and 19), the
  /// number of changes (24) and of pages (28), the version of the schema (40), and the last writer
  /// (92 and 96).
  ///
  /// They are described in SQLite's file format documentation, section 1.3.
  private static let ownFields = [18..<20, 24..<32, 40..<44, 92..<100]
}
