extension FormatRecogniser {
  /// Recognises a file.
  ///
  /// - Parameters:
  ///   - file: the file's name or path, for messages.
  ///   - size: the file's length in bytes.
  ///   - key: what should open it.
  ///   - hasJournal: whether a write-ahead log or rollback journal with content stands beside the
  ///     file; then the file alone may be shorter than its header says.
  ///   - read: reads bytes of the file; what it throws is passed on.
  /// - Throws: `KeyError` with `empty`, `truncated`, `notEncrypted`, `wrongKey`, `saltMismatch`
  ///   or `damaged`.
  package mutating func recognise(
    file: String, size: Int64, key: ResolvedKey, hasJournal: Bool = false, read: Reader
  ) throws -> RecognisedFile {
    let start = try firstPages(of: file, size: size, read: read)
    guard let salt = FileSalt(start.prefix(FileSalt.count)) else { throw tooShort(file, size) }
    var trial = Trial(key: key, salt: key.salt ?? salt, rounds: rounds)
    defer { derivationCount += trial.derivationCount }

    if let found = try firstMatch(start, trial: &trial) {
      guard trial.salt == salt else { throw damagedSalt(file) }
      try checkLength(of: file, size: size, found: found, hasJournal: hasJournal)
      return found
    }
    if trial.salt != salt {
      var otherSalt = Trial(key: key, salt: salt, rounds: rounds)
      if try firstMatch(start, trial: &otherSalt) != nil { throw foreignSalt(file) }
    }
    if try hasAuthenticPage(beyondFirstOf: size, trial: &trial, read: read) {
      throw damagedFirstPage(file)
    }
    throw size.isMultiple(of: 512) ? wrongKey(file, key: key) : unevenLength(file, size)
  }

  /// The bytes of the largest page 1 that the file can have.
  private func firstPages(of file: String, size: Int64, read: Reader) throws -> [UInt8] {
    guard size > 0 else {
      throw KeyError(
        .empty, "'\(file)' has no content, so there is nothing to open; remove it, or create a "
          + "new vault in its place")
    }
    let start = try read(0, Int(min(size, Int64(pageSizes.max() ?? 4096))))
    if start.starts(with: FormatRecogniser.plainHeader) {
      throw KeyError(
        .notEncrypted,
        "'\(file)' is an SQLite database that is not encrypted; open it without a key, or encrypt "
          + "it into a vault first")
    }
    guard start.count >= 512 else { throw tooShort(file, size) }
    return start
  }

  /// "SQLite format 3" and a NUL.
  private static let plainHeader = Array("SQLite format 3\0".utf8)

  private func firstMatch(_ start: [UInt8], trial: inout Trial) throws -> RecognisedFile? {
    for format in formats {
      for pageSize in pageSizes where pageSize <= start.count {
        if let found = try trial.match(start, format: format, pageSize: pageSize) { return found }
      }
    }
    return nil
  }

  /// Whether any of up to 16 other pages, spread over the file, answers to the key.
  private func hasAuthenticPage(
    beyondFirstOf size: Int64, trial: inout Trial, read: Reader
  ) throws -> Bool {
    for pageSize in pageSizes {
      let pageCount = size / Int64(pageSize)
      guard pageCount > 1 else { continue }
      let tried = min(16, pageCount - 1)
      for index in 0..<tried {
        let number = tried == 1 ? 2 : 2 + index * (pageCount - 2) / (tried - 1)
        guard let number32 = UInt32(exactly: number) else { break }
        let page = try read((number - 1) * Int64(pageSize), pageSize)
        for format in formats where format.isSealed {
          if try trial.seals(page, number: number32, format: format, pageSize: pageSize) {
            return true
          }
        }
      }
    }
    return false
  }

  private func checkLength(
    of file: String, size: Int64, found: RecognisedFile, hasJournal: Bool
  ) throws {
    guard !hasJournal else { return }
    let pageSize = Int64(found.pageSize)
    if let pageCount = found.header?.pageCount {
      // Bytes after the last page do no harm: the engine never looks at them.
      guard size >= Int64(pageCount) * pageSize else {
        throw KeyError(
          .truncated,
          "'\(file)' is truncated: it should have \(pageCount) pages of \(pageSize) bytes but has "
            + "\(size) bytes; restore it from a backup, or salvage what is left")
      }
    } else if !size.isMultiple(of: pageSize) {
      throw KeyError(
        .truncated,
        "'\(file)' is truncated: \(size) bytes are no whole number of pages of \(pageSize) bytes; "
          + "restore it from a backup, or salvage what is left")
    }
  }
}

/// Tries formats on one file with one key and one salt; derives each raw key only once.
struct Trial {
  private struct Derivation: Hashable {
    let hash: HashFunction
    let rounds: Int
  }

  let key: ResolvedKey
  let salt: FileSalt
  let rounds: Int?
  private var rawKeys: [Derivation: SharedSecret] = [:]
  private(set) var derivationCount = 0

  init(key: ResolvedKey, salt: FileSalt, rounds: Int?) {
    self.key = key
    self.salt = salt
    self.rounds = rounds
  }

  private mutating func rawKey(_ format: CipherFormat) throws(KeyError) -> SharedSecret {
    if key.kind == .raw { return key.secret }
    let derivation = Derivation(hash: format.hash, rounds: rounds ?? format.derivationRounds)
    if let rawKey = rawKeys[derivation] { return rawKey }
    derivationCount += 1
    let rawKey = try key.rawKey(for: format, salt: salt, rounds: rounds)
    rawKeys[derivation] = rawKey
    return rawKey
  }

  mutating func seals(
    _ page: [UInt8], number: UInt32, format: CipherFormat, pageSize: Int
  ) throws(KeyError) -> Bool {
    let salt = salt
    return try rawKey(format).withSecret { rawKey throws(KeyError) in
      let seal = try PageSeal(format: format, pageSize: pageSize, rawKey: rawKey, salt: salt)
      return page.withUnsafeBytes { seal.verify($0, number: number) }
    }
  }

  /// The file, when its page 1 answers to the key in this format and page size.
  mutating func match(
    _ start: [UInt8], format: CipherFormat, pageSize: Int
  ) throws(KeyError) -> RecognisedFile? {
    let page = Array(start.prefix(pageSize))
    if format.isSealed {
      guard try seals(page, number: 1, format: format, pageSize: pageSize) else { return nil }
    }
    let rawKey = try rawKey(format)
    let header = rawKey.withSecret { rawKey in
      page.withUnsafeBytes { DatabaseHeader(decrypting: $0, format: format, rawKey: rawKey) }
    }
    guard format.isSealed || header != nil else { return nil }
    return RecognisedFile(
      format: format, pageSize: pageSize, salt: salt, rawKey: rawKey, header: header)
  }
}

private func tooShort(_ file: String, _ size: Int64) -> KeyError {
  KeyError(
    .truncated,
    "'\(file)' has only \(size) bytes, less than the smallest page: it is truncated or is no "
      + "vault; restore it from a backup, or check the path")
}

private func unevenLength(_ file: String, _ size: Int64) -> KeyError {
  KeyError(
    .truncated,
    "'\(file)' has \(size) bytes, which no page size divides, and its first page does not answer "
      + "to the key: it is truncated or is no vault; restore it from a backup, or check the path")
}

private func wrongKey(_ file: String, key: ResolvedKey) -> KeyError {
  let kind = key.kind == .passphrase ? "passphrase" : "raw key"
  return KeyError(
    .wrongKey,
    "the \(kind) does not open '\(file)'; check the key and the path. A file whose first 16 bytes "
      + "(the salt) are damaged, that was cut within its first page or that was made with other "
      + "cipher settings looks the same")
}

private func damagedFirstPage(_ file: String) -> KeyError {
  KeyError(
    .damaged,
    "the key is right, but page 1 of '\(file)' is damaged: its seal does not fit while other pages' "
      + "do; restore the file from a backup, or salvage what is left")
}

private func damagedSalt(_ file: String) -> KeyError {
  KeyError(
    .damaged,
    "the key is right, but the salt in the first 16 bytes of '\(file)' is damaged: page 1 answers "
      + "to the salt given with the key; restore the file from a backup, or salvage it")
}

private func foreignSalt(_ file: String) -> KeyError {
  KeyError(
    .saltMismatch,
    "the raw key opens '\(file)', but the salt given with it (the last 16 of 48 bytes) is not the "
      + "file's; give the key's 32 bytes alone, or the right salt")
}
