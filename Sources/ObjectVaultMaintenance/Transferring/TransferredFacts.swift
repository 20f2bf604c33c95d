import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

/// The keys and the schema version under which a database has stored its objects.
struct TransferredFacts {
  private let location: String
  private let sealingCodes: [UInt32: String]
  private let erasableKeysID: String?
  /// The schema version that the database records, if any.
  private let recordedVersion: Int?
  /// The schema version of the objects; 0 if the database records none and has no objects.
  private let version: Int

  /// Reads the facts of a database.
  ///
  /// - Parameters:
  ///   - opened: The database.
  ///   - session: A session of the database.
  /// - Throws: `.damaged` if the schema version is no possible one, and the errors of reading.
  init(of opened: any OpenDatabase, on session: Session) throws {
    let system = SystemTables(session)
    location = opened.location
    sealingCodes = Dictionary(
      try system.sealingCodes().map { ($0.number, $0.code) },
      uniquingKeysWith: { first, _ in first })
    erasableKeysID = try system.erasableKeysID()
    recordedVersion = try DatabaseUpgrade.recordedVersion(of: opened, on: session)
    if let recordedVersion {
      version = recordedVersion
    } else {
      // An interrupted transfer may have created tables, and recorded nothing yet.
      version = try Self.hasObjects(on: session) ? 1 : 0
    }
  }

  private static func hasObjects(on session: Session) throws -> Bool {
    let schema = Schema(on: session)
    for description in try SystemTables(session).descriptions()
    where try schema.hasTable(description.table) {
      let hasRow = try session.with(
        "SELECT 1 FROM \(SQL.quoted(description.table)) LIMIT 1"
      ) { try $0.step() }
      if hasRow { return true }
    }
    return false
  }

  /// Checks that a target can store the objects of this database next to its own.
  ///
  /// - Parameter target: The facts of the target.
  /// - Throws: `.wrongKey` if the objects are under other keys; `.invalidClass` if they have another
  ///   schema version.
  func check(_ target: TransferredFacts) throws(VaultError) {
    let (codes, others) = (sealingCodes, target.sealingCodes)
    // Keys that only one of them has were added later. The key with the lowest number makes the
    // indexes of findable values.
    let hasSameKeys =
      codes.allSatisfy { others[$0.key] ?? $0.value == $0.value }
      && codes.keys.min() == others.keys.min()
    guard codes.isEmpty || others.isEmpty || hasSameKeys else {
      throw VaultError(
        .wrongKey,
        "'\(target.location)' has values sealed under other sealing keys than '\(location)'. "
          + "Transfer to a new database.")
    }
    if let erasableKeysID, let other = target.erasableKeysID, other != erasableKeysID {
      throw VaultError(
        .wrongKey,
        "'\(target.location)' has values under erasable keys of another file than '\(location)'. "
          + "Transfer to a new database.")
    }
    guard version == 0 || target.version == 0 || version == target.version else {
      throw VaultError(
        .invalidClass,
        "'\(target.location)' has schema version \(target.version), but the objects of "
          + "'\(location)' have version \(version), so they would skip or repeat steps of the schema. "
          + "Open both with the same version of the program first, or transfer to a new database "
          + "and open that with the program.")
    }
  }

  /// Records the facts in a target that lacks them; inside a transaction.
  ///
  /// - Parameters:
  ///   - target: The facts of the target, which were checked.
  ///   - session: Its session.
  /// - Throws: The errors of writing.
  func record(in target: TransferredFacts, on session: Session) throws {
    let system = SystemTables(session)
    for (number, code) in sealingCodes where target.sealingCodes[number] == nil {
      try system.addSealingCode(number, code)
    }
    if let erasableKeysID { try system.setErasableKeysID(erasableKeysID) }
    if let recordedVersion, target.version == 0 {
      try system.restore(DatabaseUpgrade.key, String(recordedVersion))
    }
  }
}
