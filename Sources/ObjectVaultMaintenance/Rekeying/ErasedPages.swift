import ObjectVaultDriver
import ObjectVaultFile
import ObjectVaultKeys
import ObjectVaultSession

/// A search for pages of a file that were overwritten with zeros, or cut off its end.
///
/// The engine reads such a page as one that was never written, and does not authenticate it. If the
/// page holds the end of a long value, that end becomes zeros. A copy would authenticate them.
struct ErasedPages {
  private let source: FileRewriting.Source

  init(in source: FileRewriting.Source) {
    self.source = source
  }

  /// Checks that no page that a table, an index or the list of tables uses was overwritten.
  ///
  /// The source is open for reading, so that no page that is in use is overwritten meanwhile.
  ///
  /// - Throws: `.damaged` with the number of the first such page.
  func check() throws {
    guard let held = source.held, let cipher = source.cipher, cipher.scheme.isSealed else { return }
    let zeroPages = try zeroPages(held, pageSize: cipher.pageSize)
    let pages = try FileEncryption(cipher).pages(of: source.path, held: held, usesJournal: false)
    let suspects = (zeroPages + missingPages(held, pages)).filter {
      $0 <= pages.count && pages.overlay?.offsets[$0] == nil
    }
    // Most files have none, and those are read only once.
    guard !suspects.isEmpty else { return }
    let owners = try PageOwners(pages)
    for number in suspects where owners.isErased(number, in: pages) {
      guard [.zero, .missing].contains(try pages.state(of: number)) else { continue }
      throw VaultError(
        .damaged,
        "Page \(number) of '\(source.path)' contains only zeros or is missing, but holds "
          + "\(owners.owner(of: number)). No copy was made. Restore the file from a backup, or `salvage` "
          + "what can be read.")
    }
  }

  /// Returns the pages after the end of a file with a write-ahead log, at most the first thousand.
  ///
  /// The engine reads those that the log lacks as zeros too.
  private func missingPages(_ held: HeldFile, _ pages: StoredPages) -> [UInt32] {
    let present = UInt32(clamping: held.size / pages.pageSize)
    let last = UInt32(clamping: UInt64(present) + 1_000)
    return present < pages.count ? Array(present + 1...min(last, pages.count)) : []
  }

  /// Returns the pages of the file itself that contain only zeros.
  private func zeroPages(_ held: HeldFile, pageSize: Int) throws -> [UInt32] {
    let step = max(pageSize, 1 << 20)
    var found: [UInt32] = []
    var offset = 0
    while true {
      let bytes = try held.read(at: offset, count: step)
      for start in stride(from: 0, through: bytes.count - pageSize, by: pageSize)
      where bytes[start..<start + pageSize].allSatisfy({ $0 == 0 }) {
        found.append(UInt32((offset + start) / pageSize + 1))
      }
      guard bytes.count == step else { return found }
      try Cancellation.check()
      offset += step
    }
  }
}
