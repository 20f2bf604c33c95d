// Files that begin like an unencrypted SQLite database. Their salt, if they are encrypted, is in the
// keyring or was given with a raw key.
extension FormatRecogniser {
  /// Recognises a file that begins like an unencrypted SQLite database.
  ///
  /// The parameters are those of ``recognise(file:size:key:hasJournal:read:)``.
  ///
  /// - Returns: The recognised file. If page 1 in the file itself is not sound, its journal or log
  ///   must contain it.
  /// - Throws: `notEncrypted`, `wrongKey`, `keyringMismatch`, `truncated` or `damaged`.
  func recogniseWithHeader(
    _ start: [UInt8], file: String, size: Int64, key: ResolvedKey, hasJournal: Bool, read: Reader
  ) throws -> RecognisedFile {
    let examined = try examineWithHeader(
      start, size: size, key: key, hasJournal: hasJournal, read: read)
    guard let examined else { throw try unopened(start, file: file, key: key) }
    if examined.firstPage == .sound {
      try checkLength(of: file, size: size, found: examined.file, hasJournal: hasJournal)
      return examined.file
    }
    guard hasJournal else {
      throw examined.firstPage == .damaged
        ? KeyError.damagedFirstPage(file) : KeyError.damagedHeader(file)
    }
    return RecognisedFile(
      scheme: examined.file.scheme, pageSize: examined.file.pageSize, salt: examined.file.salt,
      rawKey: examined.file.rawKey, isFirstPageSealed: false)
  }

  /// Examines a file that begins like an unencrypted SQLite database.
  ///
  /// The plaintext header is not authenticated. It counts as damaged unless every field has the one
  /// possible value. The file does not have more pages than the header says, unless a journal or log
  /// with content is next to it.
  ///
  /// - Parameters:
  ///   - start: The largest possible page 1 of the file.
  ///   - size: The file's length in bytes.
  ///   - key: The key to try.
  ///   - hasJournal: Whether a journal or log with content is next to the file.
  ///   - read: A closure that reads bytes of the file.
  /// - Returns: The file and the condition of its first page; `nil` if no key authenticates a page.
  /// - Throws: The errors of `read` and of the keyring.
  func examineWithHeader(
    _ start: [UInt8], size: Int64, key: ResolvedKey, hasJournal: Bool, read: Reader
  ) throws -> ExaminedFile? {
    let candidates = headerCandidates(key)
    for candidate in candidates {
      var trial = FormatTrial(key: key, salt: candidate.salt)
      let recogniser = candidate.recogniser
      guard let found = try recogniser.firstMatch(start, recogniser.schemes[...], trial: &trial)
      else { continue }
      let isSound = found.header?.pageCount.map {
        hasJournal || Int64($0) * Int64(found.pageSize) >= size
      }
      return ExaminedFile(
        file: found,
        firstPage: isSound ?? false ? .sound : .damagedSalt(isRestSound: true))
    }
    for candidate in candidates {
      var trial = FormatTrial(key: key, salt: candidate.salt)
      let proved = try authenticPage(
        beyondFirstOf: size, candidate.recogniser.schemes,
        pageSizes: candidate.recogniser.pageSizes, trial: &trial, read: read)
      guard let proved else { continue }
      let file = RecognisedFile(
        scheme: proved.scheme, pageSize: proved.pageSize, salt: candidate.salt,
        rawKey: try trial.rawKey(proved.scheme), isFirstPageSealed: false)
      return ExaminedFile(file: file, firstPage: .damaged)
    }
    return nil
  }

  /// Returns the salts that a file with a plaintext header can have, each with a recogniser of its
  /// settings.
  private func headerCandidates(
    _ key: ResolvedKey
  ) -> [(salt: FileSalt, recogniser: FormatRecogniser)] {
    switch key {
    case .passphrase, .raw(_, salt: nil): return []
    case .raw(_, salt: let salt?):
      var recogniser = self
      recogniser.schemes.removeAll { $0.format != .format4 }
      for index in recogniser.schemes.indices { recogniser.schemes[index].header = .plaintext }
      return [(salt, recogniser)]
    case .keyring(let unlocked):
      return unlocked.epochsWithPlaintextHeader.map { epoch in
        var recogniser = self
        recogniser.limit(to: epoch)
        return (epoch.salt, recogniser)
      }
    }
  }

  /// Returns the reason why no key opens a file that begins like an unencrypted database.
  private func unopened(_ start: [UInt8], file: String, key: ResolvedKey) throws -> KeyError {
    guard CipherFormat.hasPlaintextHeader(start) else { return .notEncrypted(file) }
    guard case .keyring(let unlocked) = key else { return .saltNotInFile(file, key: key) }
    for candidate in headerCandidates(key) {
      var trial = FormatTrial(key: key, salt: candidate.salt)
      for scheme in candidate.recogniser.schemes {
        if try trial.readsHeader(start, scheme: scheme) { return .damagedFirstPage(file) }
      }
    }
    return try unlocked.damagedStart(start, of: file) ?? unlocked.noKeyForFile
  }
}

extension UnlockedKeyring {
  /// The epochs of files with a plaintext header: the current one, pending ones, and the retired
  /// ones from the newest on.
  var epochsWithPlaintextHeader: [KeyringEpoch] {
    let epochs = keyring.keyring.epochs.filter { $0.header == .plaintext }
    return epochs.filter { $0.state == .current } + epochs.filter { $0.state == .pending }
      + epochs.filter { $0.state == .retired }.reversed()
  }

  /// Returns the error for a file of which only the first bytes are damaged, which are not
  /// authenticated.
  ///
  /// - Parameters:
  ///   - start: The largest possible page 1 of the file.
  ///   - file: The file's name or path, for messages.
  /// - Returns: The error; `nil` if page 1 authenticates under no key of the keyring.
  /// - Throws: The errors of the keyring.
  func damagedStart(_ start: [UInt8], of file: String) throws(KeyError) -> KeyError? {
    for epoch in livingEpochs {
      var trial = FormatTrial(key: .keyring(self), salt: epoch.salt)
      let scheme = CipherScheme(epoch.format, header: epoch.header)
      guard try trial.match(start, scheme: scheme, pageSize: epoch.pageSize) != nil else {
        continue
      }
      return epoch.header == .plaintext ? .damagedHeader(file) : .damagedSalt(file)
    }
    return nil
  }
}
