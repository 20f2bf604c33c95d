internal import ObjectVaultPrimitives

/// A trial of schemes on one file with one key and one salt, which derives each raw key only once.
struct FormatTrial {
  private struct Derivation: Hashable {
    let hash: HashFunction
    let rounds: Int
  }

  let key: ResolvedKey
  let salt: FileSalt
  private var rawKeys: [Derivation: SharedSecret] = [:]
  private(set) var derivationCount = 0

  init(key: ResolvedKey, salt: FileSalt) {
    self.key = key
    self.salt = salt
  }

  mutating func rawKey(_ scheme: CipherScheme) throws(KeyError) -> SharedSecret {
    guard key.kind == .passphrase else { return try key.rawKey(for: scheme, salt: salt) }
    let derivation = Derivation(hash: scheme.format.hash, rounds: scheme.rounds)
    if let rawKey = rawKeys[derivation] { return rawKey }
    derivationCount += 1
    let rawKey = try key.rawKey(for: scheme, salt: salt)
    rawKeys[derivation] = rawKey
    return rawKey
  }

  mutating func seals(
    _ page: [UInt8], number: UInt32, scheme: CipherScheme, pageSize: Int
  ) throws(KeyError) -> Bool {
    let salt = salt
    return try rawKey(scheme).withSecret { rawKey throws(KeyError) in
      let seal = try PageSeal(scheme: scheme, pageSize: pageSize, rawKey: rawKey, salt: salt)
      return page.withUnsafeBytes { seal.verify($0, number: number) }
    }
  }

  /// Returns the file if the key opens its page 1 in this scheme and page size.
  mutating func match(
    _ start: [UInt8], scheme: CipherScheme, pageSize: Int
  ) throws(KeyError) -> RecognisedFile? {
    let page = Array(start.prefix(pageSize))
    if scheme.isSealed {
      guard try seals(page, number: 1, scheme: scheme, pageSize: pageSize) else { return nil }
    }
    let header = try header(page, scheme: scheme)
    guard scheme.isSealed || header != nil else { return nil }
    return RecognisedFile(
      scheme: scheme, pageSize: pageSize, salt: salt, rawKey: try rawKey(scheme), header: header)
  }

  /// Returns the header of a first page if it is valid, without checking its authentication code.
  mutating func header(
    _ page: [UInt8], scheme: CipherScheme
  ) throws(KeyError) -> DatabaseHeader? {
    try rawKey(scheme).withSecret { rawKey in
      page.withUnsafeBytes {
        DatabaseHeader(decrypting: $0, scheme: scheme, rawKey: rawKey)
      }
    }
  }

  /// Returns whether the start of page 1 decrypts, which needs neither its HMAC nor its end.
  mutating func readsHeader(
    _ start: [UInt8], scheme: CipherScheme
  ) throws(KeyError) -> Bool {
    try rawKey(scheme).withSecret { rawKey in
      start.withUnsafeBytes { DatabaseHeader.hasReservedZeros(in: $0, rawKey: rawKey) }
    }
  }
}
