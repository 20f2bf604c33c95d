import ObjectVaultConformanceFormat
import ObjectVaultCore
import ObjectVaultKeys

extension VaultKey {
  /// The key of vaults whose fixture specifies none.
  static var ofFixtures: VaultKey { .raw(Array(UInt8(1)...32)) }
}

extension LibraryCase {
  /// Returns the key of a vault from its fixture notation.
  func key(_ key: FixtureValue) throws -> VaultKey {
    switch (key["raw"], key["passphrase"], key["keyring"]) {
    case (.text(let digits)?, nil, nil): return .raw(hex: digits)
    case (nil, .text(let text)?, nil): return .passphrase(text)
    case (nil, .data(let bytes)?, nil): return .passphrase(bytes: bytes)
    case (nil, nil, let slotKey?):
      let place = try RequestArguments(key).text("at")
      return .keyring(try SlotKey(fixture: slotKey), at: place.map(path))
    default: throw RequestProblem("A key must be {raw: …}, {passphrase: …} or {keyring: …, at: …}.")
    }
  }
}

extension SlotKey {
  /// Creates the key of a slot from its fixture notation.
  init(fixture key: FixtureValue) throws {
    let slot = try RequestArguments(key).text("slot")
    switch (key["passphrase"], key["recoveryCode"], key["keyFile"], key["raw"]) {
    case (.text(let text)?, nil, nil, nil): self = .passphrase(text, slot: slot)
    case (.data(let bytes)?, nil, nil, nil): self = .passphrase(bytes: bytes, slot: slot)
    case (nil, .text(let text)?, nil, nil): self = .recoveryCode(text, slot: slot)
    case (nil, nil, let content?, nil):
      guard let bytes = content.bytes else { throw RequestProblem("A key file must be bytes.") }
      guard bytes.count <= KeySource.maximumCount else {
        throw RequestProblem(
          "A key file has at most \(KeySource.maximumCount) bytes, but this one has \(bytes.count)."
        )
      }
      self = .source(.closure { Secret(copying: bytes) }, as: .keyFile, slot: slot)
    case (nil, nil, nil, .text?): self = .raw(try key.hexadecimal("raw"), slot: slot)
    default:
      throw RequestProblem(
        "The key of a slot must be {passphrase: …}, {recoveryCode: …}, {keyFile: …} or {raw: …}.")
    }
  }
}
