extension FormatRecogniser {
  /// Recognises a file.
  ///
  /// - Parameters:
  ///   - file: The file's name or path, for messages.
  ///   - size: The file's length in bytes.
  ///   - key: The key to try.
  ///   - hasJournal: Whether a write-ahead log or rollback journal with content is next to the
  ///     file. If so, the file alone may be shorter than its header states, and its first page may
  ///     be partly written.
  ///   - read: A closure that reads bytes of the file; its errors are rethrown.
  /// - Returns: The recognised file.
  /// - Throws: `KeyError` with `empty`, `truncated`, `notEncrypted`, `wrongKey`, `saltMismatch`,
  ///   `unauthenticated`, `unsupportedSettings` or `damaged`; `invalidSetting` before anything is
  ///   read.
  package mutating func recognise(
    file: String, size: Int64, key: ResolvedKey, hasJournal: Bool = false, read: Reader
  ) throws -> RecognisedFile {
    try checkSettings()
    let asMade = self
    func beginning(_ most: Int?) throws -> [UInt8] {
      try asMade.firstPages(of: file, size: size, most: most, read: read)
    }
    let page = try beginning(usualPageSize)
    if CipherFormat.isPlain(page) {
      return try recogniseWithHeader(
        beginning(nil), file: file, size: size, key: key, hasJournal: hasJournal, read: read)
    }
    guard let salt = FileSalt(page.prefix(FileSalt.count)) else {
      throw KeyError.tooShort(file, size)
    }
    if case .keyring(let unlocked) = key { try adopt(unlocked, salt, beginning, file: file) }
    var trial = FormatTrial(key: key, salt: key.salt ?? salt)
    defer { derivationCount += trial.derivationCount }

    // Usually the first format and a common page size are correct. No more of the file is read
    // then.
    let usual = try firstMatch(page, schemes.prefix(1), trial: &trial)
    let start = try usual == nil ? beginning(nil) : page
    if let found = try usual ?? firstMatch(start, schemes[...], trial: &trial) {
      guard trial.salt == salt else { throw KeyError.damagedSalt(file) }
      try checkLength(of: file, size: size, found: found, hasJournal: hasJournal)
      return found
    }
    if trial.salt != salt {
      var otherSalt = FormatTrial(key: key, salt: salt)
      if try firstMatch(start, schemes[...], trial: &otherSalt) != nil {
        throw KeyError.foreignSalt(file)
      }
    }
    if let proved = try authenticPage(
      beyondFirstOf: size, schemes, pageSizes: pageSizes, trial: &trial, read: read)
    {
      guard hasJournal, trial.salt == salt else { throw KeyError.damagedFirstPage(file) }
      // A write of the page was interrupted; the journal or log next to the file has it intact.
      return RecognisedFile(
        scheme: proved.scheme, pageSize: proved.pageSize, salt: salt,
        rawKey: try trial.rawKey(proved.scheme), isFirstPageSealed: false)
    }
    let other = try otherSettings(start, size: size, trial: &trial, read: read)
    guard other.isRecognised || size.isMultiple(of: 512) else {
      throw KeyError.unevenLength(file, size)
    }
    let accepted = try accept(
      other, file: file, size: size, isMended: hasJournal && trial.salt == salt, trial: &trial)
    guard let accepted else { throw KeyError.wrongKey(file, key: key) }
    guard trial.salt == salt else { throw KeyError.damagedSalt(file) }
    try checkLength(of: file, size: size, found: accepted, hasJournal: hasJournal)
    return accepted
  }

  /// Limits the search to the keyring's epoch of the file that begins with this salt.
  ///
  /// - Parameters:
  ///   - unlocked: The keyring.
  ///   - salt: The salt in the file.
  ///   - beginning: A closure that reads the largest possible page 1 of the file.
  ///   - file: The file's name or path, for messages.
  /// - Throws: `keyringMismatch`; `damaged` if the salt in the file is damaged.
  private mutating func adopt(
    _ unlocked: UnlockedKeyring, _ salt: FileSalt, _ beginning: (Int?) throws -> [UInt8],
    file: String
  ) throws {
    do throws(KeyError) {
      let epoch = try unlocked.epoch(ofFileBeginningWith: salt)
      limit(to: epoch)
    } catch {
      // The keyring contains the original salt of the file.
      throw try unlocked.damagedStart(beginning(nil), of: file) ?? error
    }
  }

  /// Limits the search to the settings of an epoch, if they are accepted.
  mutating func limit(to epoch: KeyringEpoch) {
    pageSizes = [epoch.pageSize]
    if var scheme = schemes.first(where: { $0.format == epoch.format }) {
      scheme.header = epoch.header
      schemes = [scheme]
      namesUnauthenticated = !scheme.isSealed
    } else {
      schemes.removeAll { !$0.isSealed }
    }
  }

  func checkSettings() throws(KeyError) {
    for pageSize in pageSizes where !CipherFormat.pageSizes.contains(pageSize) {
      throw KeyError(
        .invalidSetting,
        "\(pageSize) bytes is not a page size. Use 512, 1024, 2048, 4096, 8192, 16384, 32768 or "
          + "65536.")
    }
  }

  /// The largest page size of nearly all files, in bytes.
  private var usualPageSize: Int { 4096 }

  /// Returns the bytes of the largest possible page 1 of the file.
  ///
  /// - Parameters:
  ///   - file: The file's name or path, for messages.
  ///   - size: The file's length in bytes.
  ///   - most: The maximum number of bytes needed; `nil` for the largest page size.
  ///   - read: A closure that reads bytes of the file.
  /// - Returns: The bytes.
  /// - Throws: `empty`, or the error for a file that is too short.
  func firstPages(
    of file: String, size: Int64, most: Int? = nil, read: Reader
  ) throws -> [UInt8] {
    guard size > 0 else {
      throw KeyError(
        .empty,
        "'\(file)' is empty. Remove it, or create a new vault in its place.")
    }
    let largest = pageSizes.max() ?? usualPageSize
    let start = try read(0, Int(min(size, Int64(min(largest, most ?? largest)))))
    guard start.count >= 512 || CipherFormat.isPlain(start) else {
      throw KeyError.tooShort(file, size)
    }
    return start
  }

  func firstMatch(
    _ start: [UInt8], _ schemes: ArraySlice<CipherScheme>, trial: inout FormatTrial
  ) throws -> RecognisedFile? {
    for scheme in schemes {
      for pageSize in pageSizes where pageSize <= start.count {
        let found = try trial.match(start, scheme: scheme, pageSize: pageSize)
        if let found, scheme.isSealed || namesUnauthenticated || !found.hasRoomForSeals {
          return found
        }
      }
    }
    return nil
  }

  /// Returns the scheme and page size in which the key authenticates a page after page 1.
  ///
  /// Tries up to 16 pages, spread over the file. Returns `nil` if none is authentic.
  func authenticPage(
    beyondFirstOf size: Int64, _ schemes: [CipherScheme], pageSizes: [Int],
    trial: inout FormatTrial, read: Reader
  ) throws -> (scheme: CipherScheme, pageSize: Int)? {
    for pageSize in pageSizes {
      let pageCount = size / Int64(pageSize)
      guard pageCount > 1 else { continue }
      let tried = min(16, pageCount - 1)
      for index in 0..<tried {
        let number = tried == 1 ? 2 : 2 + index * (pageCount - 2) / (tried - 1)
        guard let number32 = UInt32(exactly: number) else { break }
        let page = try read((number - 1) * Int64(pageSize), pageSize)
        for scheme in schemes where scheme.isSealed {
          if try trial.seals(page, number: number32, scheme: scheme, pageSize: pageSize) {
            return (scheme, pageSize)
          }
        }
      }
    }
    return nil
  }

  func checkLength(
    of file: String, size: Int64, found: RecognisedFile, hasJournal: Bool
  ) throws {
    guard !hasJournal else { return }
    let pageSize = Int64(found.pageSize)
    if let pageCount = found.header?.pageCount {
      // Bytes after the last page are harmless: the engine never reads them.
      guard size >= Int64(pageCount) * pageSize else {
        throw KeyError(
          .truncated,
          "'\(file)' is truncated: it should have \(pageCount) pages of \(pageSize) bytes but has "
            + "\(size) bytes. Restore it from a backup, or salvage what is left.")
      }
    } else if !size.isMultiple(of: pageSize) {
      throw KeyError(
        .truncated,
        "'\(file)' is truncated: its \(size) bytes are not a whole number of pages of \(pageSize) "
          + "bytes. Restore it from a backup, or salvage what is left.")
    }
  }
}
