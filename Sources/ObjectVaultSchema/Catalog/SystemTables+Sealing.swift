import ObjectVaultDriver
import ObjectVaultSession

extension SystemTables {
  /// The start of the key of a sealing key's code; its number follows.
  private static let sealing = "sealing_key_"

  /// Returns the codes of the sealing keys that the file records, by number.
  package func sealingCodes() throws -> [(number: UInt32, code: String)] {
    guard try Schema(on: session).hasTable("objectvault_info") else { return [] }
    return try session.with(
      "SELECT \"key\", \"value\" FROM objectvault_info WHERE substr(\"key\", 1, "
        + "\(Self.sealing.utf8.count)) = '\(Self.sealing)'"
    ) { statement in
      var codes: [(number: UInt32, code: String)] = []
      while try statement.step() {
        let key = statement.row.text(at: 0) ?? ""
        let digits = key.dropFirst(Self.sealing.count)
        // Of all texts for a number, only one is a key of the library.
        guard let number = UInt32(digits), String(number) == digits else { continue }
        codes.append((number, statement.row.text(at: 1) ?? ""))
      }
      return codes
    }
  }

  /// Records the code of a sealing key, unless the file has one with its number.
  package func addSealingCode(_ number: UInt32, _ code: String) throws {
    try set("\(Self.sealing)\(number)", to: code)
  }

  private static let erasable = "erasable_keys_id"

  /// Returns the identifier of the store of erasable keys that the database records, if any.
  package func erasableKeysID() throws -> String? { try value(Self.erasable) }

  /// Records the identifier of the store of erasable keys, unless the database has one.
  package func setErasableKeysID(_ id: String) throws { try set(Self.erasable, to: id) }
}
