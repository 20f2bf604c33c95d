internal import ObjectVaultPrimitives

/// The cost of guessing a passphrase: the parameters of scrypt (RFC 7914).
package struct ScryptCost: Sendable, Hashable {
  /// The cost in time and memory, a power of two.
  package var n: UInt64
  /// The block size.
  package var r: UInt64
  /// The parallelisation parameter.
  package var p: UInt64

  package init(n: UInt64, r: UInt64, p: UInt64) {
    self.n = n
    self.r = r
    self.p = p
  }

  /// The minimum cost of new slots: 128 MiB, about 0.4 s.
  package static let standard = ScryptCost(n: 1 << 17, r: 8, p: 1)
  /// The minimum cost of any slot.
  package static let minimum = ScryptCost(n: 1 << 16, r: 8, p: 1)

  /// The work of a derivation, proportional to its time.
  package var work: UInt64 { n * r * p }

  /// Whether another cost has more work and at least the same memory.
  func isLower(than other: ScryptCost) -> Bool { work < other.work && memory <= other.memory }

  /// The binary logarithm of N.
  package var exponent: Int { n.trailingZeroBitCount }

  /// The memory of a derivation in bytes: RFC 7914's 128*N*r, plus the additional blocks.
  package var memory: UInt64 { 128 * r * (n + p + 2) }

  /// Whether the parameters are within the limits for a file.
  ///
  /// They are read before the file is authenticated.
  var isBounded: Bool {
    n.nonzeroBitCount == 1 && n >= Self.minimum.n && n <= 1 << 20 && (8...32).contains(r)
      && (1...4).contains(p) && memory <= (1 << 30) + (1 << 20)
  }
}

extension ScryptCost {
  /// The binary logarithms of N that a new slot can have, at r = 8 and p = 1.
  package static let exponents = 16...20
  /// The highest exponent that calibration chooses: 256 MiB of memory.
  private static let highestChosen = 18

  /// Creates the cost of N = 2^exponent at r = 8 and p = 1.
  package init(exponent: Int) throws(KeyError) {
    guard Self.exponents.contains(exponent) else {
      throw KeyError(
        .invalidSetting,
        "The cost of a slot is \(exponent), which is not in the range \(Self.exponents.lowerBound) "
          + "to \(Self.exponents.upperBound). Use a cost in that range.")
    }
    self.init(n: 1 << UInt64(exponent), r: 8, p: 1)
  }

  /// Returns the cost for an exponent, or the calibrated cost of this computer for `nil`.
  ///
  /// It is not measured if none of the secrets is stretched, because their slots have no cost.
  package static func chosen(
    _ exponent: Int? = nil, for secrets: [SlotSecret]
  ) throws(KeyError) -> ScryptCost {
    if let exponent { return try ScryptCost(exponent: exponent) }
    return secrets.contains { $0.kind.isStretched } ? calibrated : standard
  }

  /// Returns the time of a derivation of the standard cost on this computer.
  ///
  /// It is calculated from a derivation of a 16th of the work.
  ///
  /// - Returns: The time.
  /// - Throws: The errors of the derivation.
  package static func measureStandard() throws -> Duration {
    let sample = ScryptCost(n: standard.n / 16, r: 8, p: 1)
    let time = try ContinuousClock().measure {
      _ = try KeyDerivation.scryptOfAnyCost(
        Secret(utf8: "calibration"), salt: Array(repeating: 0, count: 32), cost: sample)
    }
    return time * 16
  }

  /// The cost in place of the measured one, for tests that create many slots.
  @TaskLocal package static var replacement: ScryptCost?

  /// The cost at which a derivation takes about half a second on this computer.
  ///
  /// It is at least the standard cost and uses at most 256 MiB of memory. It is measured once.
  package static var calibrated: ScryptCost { replacement ?? measured }

  private static let measured: ScryptCost = {
    guard let time = try? measureStandard(), time > .zero else { return standard }
    var cost = standard
    while cost.n < 1 << UInt64(highestChosen),
      time * Double(2 * cost.work / standard.work) <= .milliseconds(600)
    {
      cost.n *= 2
    }
    return cost
  }()
}

extension KeyDerivation {
  /// Returns a key of 32 bytes derived from a passphrase with scrypt (RFC 7914).
  package static func scrypt(
    _ password: borrowing Secret, salt: [UInt8], cost: ScryptCost
  ) throws(KeyError) -> Secret {
    guard cost.isBounded else {
      throw KeyError(
        .keyringMalformed,
        "A slot of the keyring requires more work or memory than is allowed, or less than is safe. "
          + "Restore the keyring from a backup.")
    }
    DerivationCount.current?.increment()
    return try scryptOfAnyCost(password, salt: salt, cost: cost)
  }

  fileprivate static func scryptOfAnyCost(
    _ password: borrowing Secret, salt: [UInt8], cost: ScryptCost
  ) throws(KeyError) -> Secret {
    try password.checkProcess()
    var key = Secret(count: rawKeyCount)
    let isDerived = key.withUnsafeMutableBytes { key in
      password.withUnsafeBytes { password in
        // Without an explicit limit OpenSSL allows 32 MiB, which is too little even for N = 2^15.
        Cryptography.derive(
          fromPassword: password, salt: salt, cost: (cost.n, cost.r, cost.p),
          maximumMemory: cost.memory + (1 << 20), into: key)
      }
    }
    guard isDerived else {
      throw KeyError(
        .cryptography,
        "\(Cryptography.name) cannot derive a key with scrypt, which needs \(cost.memory >> 20) MiB "
          + "of memory. Free memory and try again.")
    }
    return key
  }

  /// Returns a key of 32 bytes derived with HKDF-HMAC-SHA-256 (RFC 5869).
  ///
  /// The input key must be as good as random.
  package static func hkdf(
    _ key: borrowing Secret, salt: [UInt8] = [], purpose: String
  ) throws(KeyError) -> Secret {
    try key.checkProcess()
    var derived = Secret(count: rawKeyCount)
    let isDerived = derived.withUnsafeMutableBytes { derived in
      key.withUnsafeBytes { key in
        Cryptography.derive(fromSecret: key, salt: salt, info: Array(purpose.utf8), into: derived)
      }
    }
    guard isDerived else { throw .cryptography("derive keys with HKDF-SHA-256") }
    return derived
  }
}
