// Files that the key decrypts but that use none of the accepted schemes.
extension FormatRecogniser {
  /// The detected settings of a file that uses other settings.
  enum OtherSettings {
    /// Page 1, or another page if `first` is `nil`, is authentic in a scheme.
    case authenticated(CipherScheme, pageSize: Int, first: RecognisedFile?)
    /// Page 1 has a valid header, and the pages have no authentication codes.
    case unauthenticated(RecognisedFile)
    /// The key is correct, but the settings are unknown.
    ///
    /// `pageSize` is that of the header, if it is readable.
    case unknown(pageSize: Int?)
    /// Nothing proves that the key is correct.
    case none

    /// Whether the settings are known.
    var isRecognised: Bool {
      switch self {
      case .authenticated, .unauthenticated: true
      case .unknown, .none: false
      }
    }
  }

  /// Searches for a scheme, beyond the accepted ones, in which the key authenticates the file.
  ///
  /// Once the start of page 1 decrypts, the page key is known, and each further scheme costs
  /// microseconds. Further derivations are made only for callers that accept other settings.
  func otherSettings(
    _ start: [UInt8], size: Int64, trial: inout FormatTrial, read: Reader
  ) throws -> OtherSettings {
    var unknown: OtherSettings = .none
    for base in basesToDiagnose(trial.key) where try trial.readsHeader(start, scheme: base) {
      var sizes: [Int] = []
      for pageSize in pageSizes where pageSize <= start.count {
        let page = Array(start.prefix(pageSize))
        if try trial.header(page, scheme: base) != nil { sizes.append(pageSize) }
      }
      if case .none = unknown { unknown = .unknown(pageSize: sizes.first) }
      if !sizes.isEmpty { unknown = .unknown(pageSize: sizes.first) }
      if !named.isUnauthenticated,
        let found = try authenticated(
          base, start, size: size, sizes: sizes.isEmpty ? pageSizes : sizes, trial: &trial,
          read: read)
      {
        return found
      }
    }
    if let found = try unauthenticated(start, trial: &trial) { return .unauthenticated(found) }
    return unknown
  }

  private func authenticated(
    _ base: CipherScheme, _ start: [UInt8], size: Int64, sizes: [Int], trial: inout FormatTrial,
    read: Reader
  ) throws -> OtherSettings? {
    for authentication in named.authentications {
      var scheme = base
      scheme.authentication = authentication
      for pageSize in sizes where pageSize <= start.count {
        if let found = try trial.match(start, scheme: scheme, pageSize: pageSize) {
          return .authenticated(scheme, pageSize: pageSize, first: found)
        }
      }
    }
    // Without a header any page size is possible, and trying all of them would read too much.
    guard sizes.count == 1 else { return nil }
    for authentication in named.authentications {
      var scheme = base
      scheme.authentication = authentication
      let proved = try authenticPage(
        beyondFirstOf: size, [scheme], pageSizes: sizes, trial: &trial, read: read)
      if let proved {
        return .authenticated(scheme, pageSize: proved.pageSize, first: nil)
      }
    }
    return nil
  }

  private func unauthenticated(
    _ start: [UInt8], trial: inout FormatTrial
  ) throws -> RecognisedFile? {
    var bases = basesToDiagnose(trial.key)
    // With a raw key the derivation gives no hint, and format 1 is the common one in programs.
    bases = (trial.key.kind == .passphrase ? [] : [CipherScheme(.format1)]) + bases
    for var scheme in bases where try trial.readsHeader(start, scheme: scheme) {
      if scheme.format == .format2 { scheme = CipherScheme(.format1, rounds: scheme.rounds) }
      scheme.authentication = nil
      for pageSize in pageSizes where pageSize <= start.count {
        if let found = try trial.match(start, scheme: scheme, pageSize: pageSize) { return found }
      }
    }
    return nil
  }

  /// Returns the derivations to try, each with the authentication of its format.
  private func basesToDiagnose(_ key: ResolvedKey) -> [CipherScheme] {
    let accepted = schemes.map {
      CipherScheme($0.format.isSealed ? $0.format : .format2, rounds: $0.rounds)
    }
    // A single specified format is certain.
    guard schemes.count > 1 else { return accepted }
    var bases = accepted
    let formats: [CipherFormat] = [.format4, .format3, .format2]
    bases += formats.map { CipherScheme($0, rounds: namedRounds) }
    if acceptsOtherSettings, key.kind == .passphrase, namedRounds == nil {
      bases += [
        CipherScheme(.format4, rounds: 1), CipherScheme(.format3, rounds: 1),
        CipherScheme(.format4, rounds: 4_000), CipherScheme(.format4, rounds: 64_000),
        CipherScheme(.format3, rounds: 256_000),
      ]
    }
    return bases.uniqued()
  }
}

extension FormatRecogniser {
  /// Returns the file if its settings are accepted.
  ///
  /// - Parameters:
  ///   - found: The detected settings.
  ///   - file: The file's name or path, for messages.
  ///   - size: The file's length in bytes.
  ///   - isMended: Whether a log or journal next to the file may contain an intact page 1.
  ///   - trial: The trial of the key.
  /// - Returns: The file; `nil` if nothing proves that the key is correct.
  /// - Throws: `unauthenticated`, `unsupportedSettings` and `damaged`, according to the settings.
  func accept(
    _ found: OtherSettings, file: String, size: Int64, isMended: Bool, trial: inout FormatTrial
  ) throws -> RecognisedFile? {
    switch found {
    case .authenticated(let scheme, let pageSize, let first):
      guard acceptsOtherSettings, identifiesOnly || isNamedFormat(scheme) else {
        throw KeyError.unsupportedSettings(file, scheme)
      }
      if let first { return first }
      guard isMended else { throw KeyError.damagedFirstPage(file) }
      return RecognisedFile(
        scheme: scheme, pageSize: pageSize, salt: trial.salt, rawKey: try trial.rawKey(scheme),
        isFirstPageSealed: false)
    case .unauthenticated(let found):
      guard identifiesOnly || namesUnauthenticated else {
        throw KeyError.unauthenticated(file, found)
      }
      return found
    case .unknown(let pageSize):
      // The salt is correct if a passphrase decrypts and not every other page is damaged.
      let hasOtherPages = pageSize.map { size >= 2 * Int64($0) } ?? false
      guard trial.key.kind == .passphrase, hasOtherPages, schemes.allSatisfy(\.isSealed) else {
        throw KeyError.damagedSaltOrFirstPage(file)
      }
      throw KeyError.unknownSettings(file)
    case .none:
      return nil
    }
  }

  /// Returns whether the caller specified the format of a scheme, or several formats.
  private func isNamedFormat(_ scheme: CipherScheme) -> Bool {
    schemes.count > 1 || schemes.contains { $0.format == scheme.format }
  }
}

extension Array where Element: Equatable {
  func uniqued() -> [Element] {
    reduce(into: []) { found, element in
      if !found.contains(element) { found.append(element) }
    }
  }
}
