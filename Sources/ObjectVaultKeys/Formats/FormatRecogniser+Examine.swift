/// An encrypted file that a key opens, at least as to some of its pages.
package struct ExaminedFile: Sendable {
  /// What became of the first page.
  package enum FirstPage: Sendable, Hashable {
    case sound
    /// It does not answer to the key, while other pages do.
    case damaged
    /// Its first 16 bytes, the salt, are not those that the file was made with; the rest is sound
    /// where `isRestSound`.
    case damagedSalt(isRestSound: Bool)
  }

  /// How the file is encrypted. The salt is the one its pages are sealed with, which is not always
  /// the one that stands in the file; there is no header where page 1 is damaged.
  package let file: RecognisedFile
  package let firstPage: FirstPage
}

extension FormatRecogniser {
  /// Recognises a file that may be damaged: what ``recognise(file:size:key:hasJournal:read:)``
  /// refuses as damaged or truncated is found here too, wherever any page proves the key.
  ///
  /// - Parameters:
  ///   - file: the file's name or path, for messages.
  ///   - size: the file's length in bytes.
  ///   - key: what should open it.
  ///   - read: reads bytes of the file; what it throws is passed on.
  /// - Throws: as ``recognise(file:size:key:hasJournal:read:)``, with `damaged` and `truncated` only
  ///   where no page answers to the key.
  package mutating func examine(
    file: String, size: Int64, key: ResolvedKey, read: Reader
  ) throws -> ExaminedFile {
    try checkSettings()
    let start = try firstPages(of: file, size: size, read: read)
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
          // A raw key with another file's salt is not what opens this one.
          if let given = key.salt, given != salt { throw KeyError.foreignSalt(file) }
          return found
        }
      }
    }
    if key.kind == .raw, let found = try examineMisspelt(start, key: key, stored: stored) {
      return found
    }
    // The file has other settings, or the other way says why it does not open.
    let found = try recognise(file: file, size: size, key: key, hasJournal: true, read: read)
    return ExaminedFile(file: found, firstPage: found.isFirstPageSealed ? .sound : .damaged)
  }

  /// Tries each data key of a keyring with the salt that goes with it, whatever salt stands in the
  /// file.
  private mutating func examine(
    _ start: [UInt8], size: Int64, unlocked: UnlockedKeyring, stored: FileSalt, read: Reader
  ) throws -> ExaminedFile? {
    let epochs = unlocked.keyring.keyring.epochs
    // The one that the file names comes first.
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
    defer { derivationCount += trial.derivationCount }
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

  /// Looks for the salt that differs from the one in the file in one byte: with a raw key each costs
  /// no more than the seal of a page.
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
