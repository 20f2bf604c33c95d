internal import COpenSSL

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

  /// The memory of a derivation in bytes: RFC 7914's 128*N*r, plus the additional blocks.
  var memory: UInt64 { 128 * r * (n + p + 2) }

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
  package static func chosen(_ exponent: Int?) throws(KeyError) -> ScryptCost {
    guard let exponent else { return calibrated }
    return try ScryptCost(exponent: exponent)
  }

  /// The cost at which a derivation takes about half a second on this computer.
  ///
  /// It is at least the standard cost and uses at most 256 MiB of memory. It is measured once, with
  /// a derivation of a 16th of the standard work.
  package static let calibrated: ScryptCost = {
    let sample = ScryptCost(n: standard.n / 16, r: 8, p: 1)
    guard
      let time = try? ContinuousClock().measure({
        _ = try KeyDerivation.scryptOfAnyCost(
          Secret(utf8: "calibration"), salt: Array(repeating: 0, count: 32), cost: sample)
      }), time > .zero
    else { return standard }
    var cost = standard
    while cost.n < 1 << UInt64(highestChosen),
      time * Double(2 * cost.work / sample.work) <= .milliseconds(600)
    {
      cost.n *= 2
    }
    return cost
  }()
}

extension KeyDerivation {
  /// Returns a key of 32 bytes derived from a passphrase with scrypt (RFC 7914), by OpenSSL.
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
    let answer = key.withUnsafeMutableBytes { key in
      password.withUnsafeBytes { password in
        // Without an explicit limit OpenSSL allows 32 MiB, which is too little even for N = 2^15.
        EVP_PBE_scrypt(
          password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt,
          salt.count, cost.n, cost.r, cost.p, cost.memory + (1 << 20),
          key.baseAddress?.assumingMemoryBound(to: UInt8.self), key.count)
      }
    }
    guard answer == 1 else {
      throw KeyError(
        .cryptography,
        "OpenSSL cannot derive a key with scrypt, which needs \(cost.memory >> 20) MiB of memory. "
          + "Free memory and try again.")
    }
    return key
  }

  /// Returns a key of 32 bytes derived with HKDF-HMAC-SHA-256 (RFC 5869), by OpenSSL.
  ///
  /// The input key must be as good as random.
  package static func hkdf(
    _ key: borrowing Secret, salt: [UInt8] = [], purpose: String
  ) throws(KeyError) -> Secret {
    try key.checkProcess()
    var derived = Secret(count: rawKeyCount)
    guard let algorithm = EVP_KDF_fetch(nil, "HKDF", nil) else { throw noHKDF }
    defer { EVP_KDF_free(algorithm) }
    guard let context = EVP_KDF_CTX_new(algorithm) else { throw noHKDF }
    // OpenSSL wipes its copy of the key.
    defer { EVP_KDF_CTX_free(context) }
    var digest = Array("SHA256".utf8CString)
    var salt = salt
    var info = Array(purpose.utf8)
    let answer = derived.withUnsafeMutableBytes { derived in
      key.withUnsafeBytes { key in
        digest.withUnsafeMutableBufferPointer { digest in
          salt.withUnsafeMutableBytes { salt in
            info.withUnsafeMutableBytes { info in
              // OpenSSL reads the key through this pointer and does not write to it.
              let input = UnsafeMutableRawPointer(mutating: key.baseAddress)
              var parameters = [
                OSSL_PARAM_construct_utf8_string(
                  ParameterName.digest.pointer, digest.baseAddress, 0),
                OSSL_PARAM_construct_octet_string(ParameterName.key.pointer, input, key.count),
                OSSL_PARAM_construct_octet_string(
                  ParameterName.info.pointer, info.baseAddress, info.count),
              ]
              if !salt.isEmpty {
                parameters.append(
                  OSSL_PARAM_construct_octet_string(
                    ParameterName.salt.pointer, salt.baseAddress, salt.count))
              }
              parameters.append(OSSL_PARAM_construct_end())
              return EVP_KDF_derive(
                context, derived.baseAddress?.assumingMemoryBound(to: UInt8.self), derived.count,
                parameters)
            }
          }
        }
      }
    }
    guard answer == 1 else { throw noHKDF }
    return derived
  }

  private static var noHKDF: KeyError {
    KeyError(
      .cryptography, "OpenSSL cannot derive keys with HKDF-SHA-256. Check its configuration.")
  }
}
