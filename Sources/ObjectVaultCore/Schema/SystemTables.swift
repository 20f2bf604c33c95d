import Foundation
import ObjectVaultEngine

/// The tables of the library's own: `objectvault_info` says which vault it is and what format it
/// has, `objectvault_classes` describes the classes, so that the file explains itself.
struct SystemTables {
  /// "OVLT", the application ID of a vault's file.
  static let applicationID: Int64 = 0x4F56_4C54
  /// The format of the tables this version writes.
  static let formatVersion = 1

  private let connection: VaultConnection

  init(_ connection: VaultConnection) {
    self.connection = connection
  }

  /// Whether the file is marked as a vault.
  func isVault() throws -> Bool {
    try connection.engine.pragma("application_id") == String(Self.applicationID)
  }

  /// Marks the file as a vault and makes the tables; inside a transaction.
  ///
  /// - Parameter vaultID: The identifier that its keyring has for it; a new one otherwise.
  func create(vaultID: UUID? = nil) throws {
    try connection.execute("PRAGMA application_id = \(Self.applicationID)")
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS objectvault_info "
        + "(\"key\" TEXT PRIMARY KEY NOT NULL, \"value\" TEXT NOT NULL)")
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS objectvault_classes (\"table\" TEXT PRIMARY KEY NOT NULL, "
        + "\"name\" TEXT NOT NULL, \"description\" TEXT NOT NULL)")
    try set("vault_id", to: (vaultID ?? UUID()).uuidString)
    try set("format_version", to: String(Self.formatVersion))
  }

  /// The vault's identifier; `nil` in a database of another program's.
  var vaultID: UUID? { get throws { try value("vault_id").flatMap { UUID(uuidString: $0) } } }

  /// What a keyring must be told of the vault.
  var identity: VaultIdentity {
    get throws { VaultIdentity(id: try vaultID, keyringGeneration: try notedKeyringGeneration) }
  }

  /// The generation before which no keyring opens the vault.
  private var notedKeyringGeneration: UInt64? {
    get throws { try value("keyring_generation").flatMap { UInt64($0) } }
  }

  /// - Throws: `.keyringMismatch` where the keyring that opened the file belongs to another vault,
  ///   `.keyringRolledBack` where it is older than one that was in use already.
  func check(_ keyring: KeyringFacts, path: String) throws {
    if let id = try vaultID, id != keyring.vaultID {
      throw VaultError(
        .keyringMismatch,
        "The keyring '\(keyring.file.path)' belongs to another vault than '\(path)'. Put the right "
          + "one beside it.")
    }
    guard let noted = try notedKeyringGeneration else { return }
    guard keyring.generation >= noted else {
      throw VaultError(
        .keyringRolledBack,
        "The keyring '\(keyring.file.path)' is an older one (generation \(keyring.generation)) than "
          + "'\(path)' was last used with (\(noted)): slots that were removed since could open it. Put "
          + "the latest one back.")
    }
  }

  /// Writes down that no keyring older than this may open the vault; inside a transaction.
  func noteKeyring(generation: UInt64) throws {
    guard try isVault() else { return }
    try connection.with(
      "INSERT OR REPLACE INTO objectvault_info VALUES ('keyring_generation', ?1)"
    ) { statement in
      statement.binder.bind(text: String(generation), at: 0)
      try statement.run()
    }
  }

  private func set(_ key: String, to value: String) throws {
    try connection.with("INSERT OR IGNORE INTO objectvault_info VALUES (?1, ?2)") { statement in
      let binder = statement.binder
      binder.bind(text: key, at: 0)
      binder.bind(text: value, at: 1)
      try statement.run()
    }
  }

  /// Gives a key of `objectvault_info` the value that it had in another file; inside a transaction.
  func restore(_ key: String, _ value: String) throws {
    try set(key, to: value)
    try connection.with("UPDATE objectvault_info SET \"value\" = ?2 WHERE \"key\" = ?1") {
      let binder = $0.binder
      binder.bind(text: key, at: 0)
      binder.bind(text: value, at: 1)
      try $0.run()
    }
  }

  /// The value of a key of `objectvault_info`, or `nil`.
  func value(_ key: String) throws -> String? {
    guard try Schema(on: connection).hasTable("objectvault_info") else { return nil }
    return try connection.with("SELECT \"value\" FROM objectvault_info WHERE \"key\" = ?1") {
      $0.binder.bind(text: key, at: 0)
      return try $0.step() ? $0.row.text(at: 0) : nil
    }
  }

  /// - Throws: `.newerFormat` where a newer version of the library wrote the tables.
  func checkFormat(path: String) throws {
    let engine = connection.engine
    // The table is one page: finding the row by its index, which the plus rules out, takes two.
    guard try engine.hasColumn("value", in: "objectvault_info"),
      let text = try engine.firstValue(
        "SELECT \"value\" FROM objectvault_info WHERE +\"key\" = 'format_version'")
    else { return }
    guard let version = Int(text), version <= Self.formatVersion else {
      throw VaultError(
        .newerFormat,
        "'\(path)' was written by a newer version of ObjectVault (format \(text); this one knows "
          + "up to \(Self.formatVersion)). Use that version.")
    }
  }

  /// Has readers go on beside the writer: switches to a write-ahead log and reads that back.
  ///
  /// The switch reads the file and then needs it alone. Two processes that wait for each other to
  /// stop reading would both wait in vain, so each gives up at once, lets the other go on, and
  /// tries again until the busy timeout.
  func enterWriteAheadLog() throws {
    let engine = connection.engine
    let patience = try engine.pragma("busy_timeout").flatMap { Int($0) } ?? 0
    let deadline = ContinuousClock.now + .milliseconds(patience)
    try engine.setPragma("busy_timeout", to: "0", expecting: "0")
    let outcome = Result {
      while try !switchToWriteAheadLog(mayWait: ContinuousClock.now < deadline) {
        usleep(.random(in: 1_000...10_000))
      }
    }
    try engine.setPragma("busy_timeout", to: "\(patience)", expecting: "\(patience)")
    try outcome.get()
    // The log is opened by the first read. Were the writer to make none, a reader would be the
    // last to use the log, and readers cannot remove it when they close.
    _ = try connection.engine.pragma("user_version")
  }

  /// - Returns: Whether it is done; `false` where another process is in the way and `mayWait`.
  private func switchToWriteAheadLog(mayWait: Bool) throws -> Bool {
    do {
      try connection.engine.setPragma("journal_mode", to: "WAL", expecting: "wal")
      return true
    } catch {
      guard mayWait, error.code == .busy else { throw error }
      return false
    }
  }

  /// Does the same for a vault that has no write-ahead log: its creation was cut short after the
  /// tables were made, or the file became a vault inside a transaction. A foreign file is left as
  /// it is.
  func continueWriteAheadLog() throws {
    guard try connection.engine.pragma("journal_mode") != "wal", try isVault() else { return }
    try enterWriteAheadLog()
  }

  /// Writes down what a class looks like; inside a transaction.
  func describe(_ description: ClassDescription) throws {
    try connection.with(
      "INSERT OR REPLACE INTO objectvault_classes (\"table\", \"name\", \"description\") "
        + "VALUES (?1, ?2, ?3)"
    ) { statement in
      let binder = statement.binder
      binder.bind(text: description.table, at: 0)
      binder.bind(text: description.name, at: 1)
      binder.bind(text: description.json, at: 2)
      try statement.run()
    }
  }

  /// Forgets a class; inside a transaction.
  func forget(table: String) throws {
    try connection.with("DELETE FROM objectvault_classes WHERE \"table\" = ?1") { statement in
      statement.binder.bind(text: table, at: 0)
      try statement.run()
    }
  }

  /// The class that is written down for a table, or `nil`.
  func description(ofTable table: String) throws -> ClassDescription? {
    guard try Schema(on: connection).hasTable("objectvault_classes") else { return nil }
    return try connection.with(
      "SELECT \"description\" FROM objectvault_classes WHERE \"table\" = ?1"
    ) { statement in
      statement.binder.bind(text: table, at: 0)
      guard try statement.step() else { return nil }
      return try ClassDescription(json: statement.row.text(at: 0) ?? "", table: table)
    }
  }

  /// The classes written down, by table.
  func descriptions() throws -> [ClassDescription] {
    guard try Schema(on: connection).hasTable("objectvault_classes") else { return [] }
    return try connection.with(
      "SELECT \"description\", \"table\" FROM objectvault_classes ORDER BY \"table\""
    ) { statement in
      var descriptions: [ClassDescription] = []
      while try statement.step() {
        let row = statement.row
        descriptions.append(
          try ClassDescription(json: row.text(at: 0) ?? "", table: row.text(at: 1) ?? ""))
      }
      return descriptions
    }
  }
}
