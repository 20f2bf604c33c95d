/// Tries formats on one file with one key and one salt; derives each raw key only once.
struct FormatTrial {
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

  mutating func rawKey(_ format: CipherFormat) throws(KeyError) -> SharedSecret {
    guard key.kind == .passphrase else { return try key.rawKey(for: format, salt: salt) }
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

  /// Whether page 1 decrypts where that needs neither its seal nor its end.
  mutating func readsHeader(
    _ start: [UInt8], format: CipherFormat
  ) throws(KeyError) -> Bool {
    try rawKey(format).withSecret { rawKey in
      start.withUnsafeBytes { DatabaseHeader.hasReservedZeros(in: $0, rawKey: rawKey) }
    }
  }
}
