/// An encrypted file of which a key opens at least some pages.
package struct ExaminedFile: Sendable {
  /// The condition of the first page.
  package enum FirstPage: Sendable, Hashable {
    case sound
    /// The key does not authenticate page 1, but authenticates other pages.
    case damaged
    /// The salt in the first 16 bytes, or the plaintext header, is not the original one.
    ///
    /// The rest of the page is intact if `isRestSound` is `true`.
    case damagedSalt(isRestSound: Bool)
  }

  /// The encryption of the file.
  ///
  /// The salt is the one that authenticates the pages, which can differ from the one in the file.
  /// There is no header if page 1 is damaged.
  package let file: RecognisedFile
  package let firstPage: FirstPage
}

extension FormatRecogniser {
  /// Recognises a file that may be damaged.
  ///
  /// A file that ``recognise(file:size:key:hasJournal:read:)`` rejects as damaged or truncated is
  /// recognised if the key authenticates any page.
  ///
  /// - Parameters:
  ///   - file: The file's name or path, for messages.
  ///   - size: The file's length in bytes.
  ///   - key: The key to try.
  ///   - hasJournal: Whether a write-ahead log or rollback journal with content is next to the
  ///     file. If so, a plaintext header may have another number of pages than the file.
  ///   - read: A closure that reads bytes of the file; its errors are rethrown.
  /// - Returns: The file and the condition of its first page.
  /// - Throws: The errors of ``recognise(file:size:key:hasJournal:read:)``; `damaged` and
  ///   `truncated` only if the key authenticates no page.
  package mutating func examine(
    file: String, size: Int64, key: ResolvedKey, hasJournal: Bool = true, read: Reader
  ) throws -> ExaminedFile {
    try checkSettings()
    let start = try firstPages(of: file, size: size, read: read)
    if CipherFormat.isPlain(start),
      let found = try examineWithHeader(
        start, size: size, key: key, hasJournal: hasJournal, read: read)
    {
      return found
    }
    guard let stored = FileSalt(start.prefix(FileSalt.count)) else {
      throw KeyError.tooShort(file, size)
    }
    if case .keyring(let unlocked) = key {
      if let found = try examine(
        start, size: size, unlocked: unlocked, stored: stored, read: read)
      {
        return found
      }
    } else {
      for salt in [key.salt, stored].compactMap({ $0 }).uniqued() {
        if let found = try examine(
          start, size: size, key: key, salt: salt, stored: stored, read: read)
        {
          // A raw key with the salt of another file does not open this one.
          if let given = key.salt, given != salt { throw KeyError.foreignSalt(file) }
          return found
        }
      }
    }
    if key.kind == .raw, let found = try examineMisspelt(start, key: key, stored: stored) {
      return found
    }
    // The file has other settings, or this call throws the reason why it does not open.
    let found = try recognise(file: file, size: size, key: key, hasJournal: true, read: read)
    return ExaminedFile(file: found, firstPage: found.isFirstPageSealed ? .sound : .damaged)
  }

  /// Tries each data key of a keyring with the salt of its epoch, whatever salt the file contains.
  private mutating func examine(
    _ start: [UInt8], size: Int64, unlocked: UnlockedKeyring, stored: FileSalt, read: Reader
  ) throws -> ExaminedFile? {
    let epochs = unlocked.keyring.keyring.epochs
    // The epoch of the salt in the file is tried first.
    for epoch in epochs.filter({ $0.salt == stored }) + epochs.filter({ $0.salt != stored }) {
      var recogniser = self
      recogniser.limit(to: epoch)
      let found = try recogniser.examine(
        start, size: size, key: .keyring(unlocked), salt: epoch.salt, stored: stored, read: read)
      if let found { return found }
    }
    return nil
  }

  private mutating func examine(
    _ start: [UInt8], size: Int64, key: ResolvedKey, salt: FileSalt, stored: FileSalt,
    read: Reader
  ) throws -> ExaminedFile? {
    var trial = FormatTrial(key: key, salt: salt)
    if let found = try firstMatch(start, schemes[...], trial: &trial) {
      return ExaminedFile(
        file: found, firstPage: salt == stored ? .sound : .damagedSalt(isRestSound: true))
    }
    guard
      let proved = try authenticPage(
        beyondFirstOf: size, schemes, pageSizes: pageSizes, trial: &trial, read: read)
    else { return nil }
    let file = RecognisedFile(
      scheme: proved.scheme, pageSize: proved.pageSize, salt: salt,
      rawKey: try trial.rawKey(proved.scheme), header: nil)
    return ExaminedFile(
      file: file, firstPage: salt == stored ? .damaged : .damagedSalt(isRestSound: false))
  }

  /// Searches for the original salt, assuming that one byte of the stored salt is wrong.
  ///
  /// With a raw key each attempt costs only the authentication of one page.
  private func examineMisspelt(
    _ start: [UInt8], key: ResolvedKey, stored: FileSalt
  ) throws -> ExaminedFile? {
    var readable = FormatTrial(key: key, salt: stored)
    for scheme in schemes where scheme.isSealed {
      guard try readable.readsHeader(start, scheme: scheme),
        let pageSize = try pageSizes.first(where: {
          try $0 <= start.count && readable.header(Array(start.prefix($0)), scheme: scheme) != nil
        })
      else { continue }
      for position in 0..<FileSalt.count {
        for value in UInt8.min ... .max where value != stored.bytes[position] {
          var bytes = stored.bytes
          bytes[position] = value
          guard let salt = FileSalt(bytes) else { continue }
          var trial = FormatTrial(key: key, salt: salt)
          if let found = try trial.match(start, scheme: scheme, pageSize: pageSize) {
            return ExaminedFile(file: found, firstPage: .damagedSalt(isRestSound: true))
          }
        }
      }
    }
    return nil
  }
}
