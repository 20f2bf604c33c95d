internal import ObjectVaultPrimitives

/// The encryption of sealed values with the keys that are derived from ``SealingKeys``.
///
/// `Fixtures/SEALING.md` specifies the format.
package struct SealingCipher: Sendable {
  /// The first byte of a sealed value.
  private enum Version: UInt8 {
    case hidden = 1
    case findable = 2
    case erasable = 3
  }

  private struct Key: Sendable {
    let number: UInt32
    let ofValues: SharedSecret
    let ofIndexes: SharedSecret
  }

  /// The size of an index in bytes.
  package static let indexCount = ContentCode.size
  /// The position of the index in a findable value: after the version and the key number.
  package static let indexPosition = 5
  private static let nonceCount = 12
  private static let tagCount = 16

  private let keys: [Key]
  /// The erasable key that values also need; `nil` if they need none.
  private var erasable: SharedSecret?

  /// Derives the keys.
  ///
  /// - Throws: `madeBeforeFork` and `cryptography`.
  package init(_ keys: SealingKeys) throws(KeyError) {
    var derived: [Key] = []
    for (number, secret) in keys.keys {
      func key(_ purpose: String) throws(KeyError) -> SharedSecret {
        try secret.withSecret { secret throws(KeyError) in
          SharedSecret(try KeyDerivation.hkdf(secret, purpose: purpose))
        }
      }
      derived.append(
        Key(
          number: number, ofValues: try key("objectvault sealed value v1"),
          ofIndexes: try key("objectvault sealed index v1")))
    }
    self.keys = derived
  }

  /// Returns the encryption of values that also need an erasable key.
  ///
  /// - Parameter key: The erasable key: 32 random bytes.
  /// - Returns: The encryption, with the same sealing keys.
  package func erasable(by key: SharedSecret) -> SealingCipher {
    var cipher = self
    cipher.erasable = key
    return cipher
  }

  /// The first byte of values.
  private func version(isFindable: Bool) -> Version {
    isFindable ? .findable : erasable == nil ? .hidden : .erasable
  }

  /// Returns the key of values under a sealing key, and the erasable key if they need one.
  private func valueKey(_ key: Key) throws(KeyError) -> SharedSecret {
    guard let erasable else { return key.ofValues }
    try key.ofValues.checkProcess()
    try erasable.checkProcess()
    var both = Secret(count: key.ofValues.count + erasable.count)
    both.withUnsafeMutableBytes { both in
      key.ofValues.withUnsafeBytes { both.copyBytes(from: $0) }
      erasable.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: both[key.ofValues.count...]).copyBytes(from: $0)
      }
    }
    return SharedSecret(
      try KeyDerivation.hkdf(both, purpose: "objectvault erasable value v1"))
  }

  /// The code of each key, by which a vault recognises it; no value can be computed from it.
  ///
  /// - Throws: `madeBeforeFork` and `cryptography`.
  package func codes() throws(KeyError) -> [(number: UInt32, code: [UInt8])] {
    var codes: [(UInt32, [UInt8])] = []
    for key in keys {
      codes.append((key.number, try Self.code(of: LengthPrefixed("OVSC").bytes, key.ofIndexes)))
    }
    return codes
  }

  /// Encrypts a value.
  ///
  /// - Parameters:
  ///   - value: The encoded value.
  ///   - place: The table, the column and the object ID that the value is bound to.
  ///   - index: The index of a findable value; `nil` for any other.
  /// - Returns: The sealed value.
  /// - Throws: `madeBeforeFork` and `cryptography`.
  package func sealed(
    _ value: [UInt8], at place: SealedPlace, index: [UInt8]?
  ) throws(KeyError) -> [UInt8] {
    let key = keys[keys.count - 1]
    var sealed: [UInt8] = [version(isFindable: index != nil).rawValue]
    withUnsafeBytes(of: key.number.bigEndian) { sealed.append(contentsOf: $0) }
    sealed += index ?? []
    let context = place.context(header: sealed)
    let nonce = try RandomBytes.make(Self.nonceCount)
    var content = [UInt8](repeating: 0, count: value.count + Self.tagCount)
    let valueKey = try valueKey(key)
    try valueKey.checkProcess()
    let isSealed = valueKey.withUnsafeBytes { key in
      value.withUnsafeBytes { value in
        content.withUnsafeMutableBytes {
          Cryptography.seal(value, under: key, nonce: nonce, context: context, into: $0)
        }
      }
    }
    guard isSealed else { throw .cryptography("encrypt with AES-256-GCM") }
    return sealed + nonce + content
  }

  /// Decrypts a value.
  ///
  /// - Parameters:
  ///   - sealed: The sealed value.
  ///   - place: The table, the column and the object ID that it is stored at.
  ///   - isFindable: Whether the value must have an index.
  /// - Returns: The encoded value.
  /// - Throws: `wrongKey` if the key with its number is missing; `damaged` if the bytes are no
  ///   sealed value, or were not sealed under that key for that place; `madeBeforeFork`.
  package func opened(
    _ sealed: [UInt8], at place: SealedPlace, isFindable: Bool
  ) throws(KeyError) -> [UInt8] {
    let version = version(isFindable: isFindable)
    let start = Self.indexPosition + (isFindable ? Self.indexCount : 0)
    let content = start + Self.nonceCount
    guard sealed.first == version.rawValue, sealed.count > content + Self.tagCount else {
      throw KeyError(
        .damaged,
        "\(place.description) contains bytes that are not a sealed value. Restore the value from a "
          + "backup, or set it again.")
    }
    let number = sealed[1..<Self.indexPosition].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard let key = keys.first(where: { $0.number == number }) else {
      throw KeyError(
        .wrongKey,
        "\(place.description) contains a value sealed under sealing key \(number), which is "
          + "missing. Open the vault with all of its sealing keys.")
    }
    let valueKey = try valueKey(key)
    try valueKey.checkProcess()
    var value = [UInt8](repeating: 0, count: sealed.count - content - Self.tagCount)
    let isAuthentic = valueKey.withUnsafeBytes { key in
      value.withUnsafeMutableBytes {
        Cryptography.open(
          Array(sealed[content...]), under: key, nonce: Array(sealed[start..<content]),
          context: place.context(header: Array(sealed[..<start])), into: $0)
      }
    }
    guard isAuthentic else {
      throw KeyError(
        .damaged,
        "\(place.description) contains a value that does not open under sealing key \(number): it "
          + "was changed, or moved from another place. Restore the value from a backup, or set it "
          + "again.")
    }
    return value
  }

  /// Returns the index of a value, which is equal for equal values of a column.
  ///
  /// - Parameters:
  ///   - value: The encoded value.
  ///   - table: The table.
  ///   - column: The column.
  /// - Returns: ``indexCount`` bytes.
  /// - Throws: `madeBeforeFork` and `cryptography`.
  package func index(
    of value: [UInt8], table: String, column: String
  ) throws(KeyError) -> [UInt8] {
    var message = LengthPrefixed("OVSI")
    message.append(table)
    message.append(column)
    message.append(value)
    return try Self.code(of: message.bytes, keys[0].ofIndexes)
  }

  private static func code(
    of message: [UInt8], _ key: SharedSecret
  ) throws(KeyError) -> [UInt8] {
    try key.withSecret { key throws(KeyError) in try MessageCode.code(of: message, under: key) }
  }
}
