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
        guard let number = Self.sealingNumber(ofKey: statement.row.text(at: 0) ?? "") else {
          continue
        }
        codes.append((number, statement.row.text(at: 1) ?? ""))
      }
      return codes
    }
  }

  /// Returns the number of the sealing key whose code a row of `objectvault_info` has; `nil` for
  /// another row.
  package static func sealingNumber(ofKey key: String) -> UInt32? {
    guard key.utf8.starts(with: sealing.utf8) else { return nil }
    let digits = key.dropFirst(sealing.count)
    // Of all texts for a number, only one is a key of the library.
    guard let number = UInt32(digits), String(number) == digits else { return nil }
    return number
  }

  /// Returns the description of a table's class, and its removed properties, if one of them may be
  /// sealed; otherwise `nil`.
  ///
  /// It reads the description only if that contains the member `sealed`.
  package func sealedClass(ofTable table: String) throws -> DescribedClass? {
    guard try Schema(on: session).hasTable("objectvault_classes") else { return nil }
    let isSealed = try session.with(
      "SELECT 1 FROM objectvault_classes WHERE \"table\" = ?1 "
        + "AND instr(\"description\", '\"sealed\"') > 0"
    ) { statement in
      statement.binder.bind(text: table, at: 0)
      return try statement.step()
    }
    return isSealed ? try described(ofTable: table) : nil
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
