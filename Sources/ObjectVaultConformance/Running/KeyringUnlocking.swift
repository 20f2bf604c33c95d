import Foundation
import ObjectVaultConformanceFormat
import ObjectVaultEngine
import ObjectVaultKeys

/// Files with a key in a keyring.
///
/// The keyring yields a raw key for a file, with which the stock engine opens it. The keys of cases
/// protect nothing, so they are passed as text here.
extension CaseFolder {
  /// Resolves the key that opens a file without its keyring.
  ///
  /// - Parameters:
  ///   - key: The key in fixture notation.
  ///   - path: The path of the file. Its keyring is next to it unless the key has `at`.
  /// - Returns: The key of the file.
  /// - Throws: ``RunnerError`` if the keyring has no key for the file, and the errors of reading
  ///   the keyring and the file.
  func unlocked(_ key: FixtureValue, of path: String) throws -> FixtureKey {
    guard let slotKey = key["keyring"] else { return FixtureKey(key) }
    let vault = try file(path)
    let keyring = try key.optionalText("at").map { try file($0).path }
    let slot = try slotKey.optionalText("slot")
    let opened = try (keyring.map(KeyringFile.init(at:)) ?? KeyringFile(besideVault: vault.path))
      .open(with: SlotSecret(fixture: slotKey), slot: slot).keyring
    guard let salt = try salt(of: vault), let epoch = opened.keyring.epoch(of: salt) else {
      throw RunnerError("the keyring of '\(path)' has no key for this file")
    }
    let digits = try opened.dataKey(of: epoch).withUnsafeBytes { key in
      key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    return FixtureKey(.object([.init("raw", .text(digits))]))
  }

  /// Returns the salt in the first bytes of a file.
  ///
  /// The engine's reader keeps the locks that this process has on the file.
  private func salt(of file: URL) throws -> FileSalt? {
    let raw = try Connection(looking: file.path)
    defer { try? raw.close() }
    return FileSalt(try raw.readRaw(offset: 0, count: FileSalt.count))
  }
}

extension SlotSecret {
  /// Creates the key of a slot from its fixture notation.
  fileprivate init(fixture key: FixtureValue) throws {
    switch key.members?.first(where: { $0.name != "slot" })?.name {
    case "passphrase": self = try .passphrase(secret(key.bytes("passphrase")))
    case "recoveryCode": self = try .recoveryCode(secret(Array(key.text("recoveryCode").utf8)))
    case "keyFile": self = try .keyFile(secret(key.bytes("keyFile")))
    case "raw": self = try .raw(secret(key.hexadecimal("raw")))
    default:
      throw RunnerError("the key of a slot must be a passphrase, a code, a file or a raw key")
    }
  }
}

/// Returns a copy of bytes as a secret.
///
/// - Throws: ``RunnerError`` if there are more bytes than a secret can have.
private func secret(_ bytes: [UInt8]) throws(RunnerError) -> Secret {
  guard bytes.count <= Secret.maximumCount else {
    throw RunnerError(
      "a key of a slot has at most \(Secret.maximumCount) bytes, this one has \(bytes.count)")
  }
  return Secret(copying: bytes)
}

extension FixtureValue {
  /// Returns the bytes of a text of hexadecimal digits.
  func hexadecimal(_ name: String) throws(RunnerError) -> [UInt8] {
    let digits = Array(try text(name).utf8)
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[start...].prefix(2), as: UTF8.self)
      guard pair.utf8.count == 2, let byte = UInt8(pair, radix: 16) else {
        throw RunnerError("'\(name)' has digits that are not hexadecimal, or an odd number of them")
      }
      bytes.append(byte)
    }
    return bytes
  }
}
