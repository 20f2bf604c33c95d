import Foundation
import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultKeys
public import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores
import Synchronization

/// The keys of persons, each of which can be destroyed with all values that are sealed by it.
///
/// The keys are in an encrypted file of their own, never in the vault with the values. So backups
/// of the vault become unreadable, too:
///
/// ```swift
/// let keys = try ErasableKeys(at: "/var/lib/school/persons.keys", key: keyOfKeys)
/// configuration.erasableKeys = keys
/// // …
/// try keys.destroy(ada.key)
/// ```
///
/// Each key has 32 random bytes and a name: the value of the property that
/// ``PropertyDescription/sealed(by:)`` names. A key is made when a value is first sealed by it. Every
/// use of a key reads the file, so that its destruction has effect at once in all processes.
///
/// A backup of this file restores destroyed keys. Keep few backups, for a short time.
public final class ErasableKeys: Sendable {
  /// The result of looking up a key.
  enum Key {
    case present(SharedSecret)
    case destroyed
    case missing
  }

  private let vault: Vault
  /// Whether the file has the table of the keys.
  private let isReady = Atomic<Bool>(false)

  /// Creates a handle on a file of keys; the first use opens or creates the file.
  ///
  /// - Parameters:
  ///   - path: The path of the file. It must not be that of a vault with values.
  ///   - key: The key that encrypts the file.
  ///   - creation: The behaviour for a missing file. Use `.never` after the first start of the
  ///     program, so that a wrong path is an error.
  /// - Throws: ``VaultError`` as ``Vault/init(at:key:configuration:)``.
  public convenience init(
    at path: String, key: VaultKey, creation: VaultConfiguration.Creation = .ifMissing
  ) throws {
    var configuration = VaultConfiguration()
    configuration.creation = creation
    try self.init(at: path, key: key, configuration: configuration)
  }

  /// Creates a handle on a file of keys that is opened with a configuration.
  ///
  /// On Apple platforms, set `excludesFromBackup` if the vault is in the backups of the device: the
  /// same backup would contain the values and their keys. The keys are then lost with the device.
  ///
  /// - Parameters:
  ///   - path: The path of the file. It must not be that of a vault with values.
  ///   - key: The key that encrypts the file.
  ///   - configuration: How the file is opened. What it says about contents has no effect, such as
  ///     its schema and its rules of expiry; every change is on the disk when it ends.
  /// - Throws: ``VaultError`` as ``Vault/init(at:key:configuration:)``.
  public init(at path: String, key: VaultKey, configuration: VaultConfiguration) throws {
    var own = configuration.forContentsAsTheyAre
    own.creation = configuration.creation
    own.commitGrouping = .off
    own.sealingKeys = nil
    own.erasableKeys = nil
    vault = try Vault(at: path, key: key, configuration: own)
  }

  /// The absolute path of the file.
  public var path: String { vault.path }

  /// Closes the file; every later use of a key fails.
  public func close() { vault.close() }

  // MARK: Destruction

  /// Destroys a key, so that no value that is sealed by it can be read again.
  ///
  /// Such values are `nil` from now on, also in backups of their vault. The key is overwritten and
  /// removed from the log of the file. A mark with the name remains, so that the key is never made
  /// again. A name without a key is marked, too. It is harmless to destroy a key again.
  ///
  /// Inside a transaction of the vault with the values, the key is destroyed at once, also if the
  /// transaction is rolled back.
  ///
  /// - Parameter name: The name of the key.
  /// - Returns: Whether there was a key.
  /// - Throws: ``VaultError``: `.busy` if another process writes to the file all the time, so that
  ///   the key is not destroyed, or reads it all the time, so that the key is destroyed, but its old
  ///   bytes can still be in the log. Call it again until it returns;
  ///   ``isDestroyed(_:)`` returns whether the values are readable. The errors of writing.
  @available(*, noasync, message: "Call it in 'try await vault.transaction { … }' of the values.")
  @discardableResult
  public func destroy(_ name: some ErasableKeyNaming) throws -> Bool {
    let name = try Self.text(name)
    let file = try opened()
    let wasPresent = try changing(file) { session in
      // In place, so that no page keeps the old bytes.
      try Self.run(
        "UPDATE \(Self.table) SET \"key\" = zeroblob(\(Self.keyCount)) "
          + "WHERE \"name\" = ?1 AND \"isDestroyed\" = 0", name, on: session)
      let wasPresent = session.connection.changes > 0
      try Self.run(
        "UPDATE \(Self.table) SET \"isDestroyed\" = 1 WHERE \"name\" = ?1", name, on: session)
      try Self.run(
        "INSERT OR IGNORE INTO \(Self.table) (\"name\", \"key\", \"isDestroyed\") "
          + "VALUES (?1, zeroblob(\(Self.keyCount)), 1)", name, on: session)
      return wasPresent
    }
    do {
      try file.checkpoint()
    } catch let error as VaultError {
      throw VaultError(
        error.code,
        "The key is destroyed and its values cannot be read, but its old bytes can still be in the "
          + "log of '\(path)'. Destroy it again. \(error.message)",
        engineCode: error.engineCode, underlying: error)
    }
    return wasPresent
  }

  /// Returns whether a key was destroyed.
  ///
  /// - Parameter name: The name of the key.
  /// - Returns: Whether it was destroyed.
  /// - Throws: ``VaultError``: the errors of reading.
  @available(*, noasync, message: "Call it in 'try await vault.read { … }' of the values.")
  public func isDestroyed(_ name: some ErasableKeyNaming) throws -> Bool {
    if case .destroyed = try key(Self.text(name)) { return true }
    return false
  }

  // MARK: Keys

  /// Returns the key with a name.
  func key(_ name: String) throws -> Key {
    try opened().read { try Self.key(name, on: $0) }
  }

  /// Returns the key with a name; makes and stores it first if there is none.
  func madeKey(_ name: String) throws -> Key {
    let file = try opened()
    let known = try file.read { try Self.key(name, on: $0) }
    guard case .missing = known else { return known }
    return try changing(file) { session in
      // Another process may have been faster.
      let known = try Self.key(name, on: session)
      guard case .missing = known else { return known }
      let made = SharedSecret(try randomKey())
      try session.with(
        "INSERT INTO \(Self.table) (\"name\", \"key\", \"isDestroyed\") VALUES (?1, ?2, 0)"
      ) { statement in
        let binder = statement.binder
        binder.bind(text: name, at: 0)
        made.withUnsafeBytes { binder.bind(bytes: $0, at: 1) }
        try statement.run()
      }
      return .present(made)
    }
  }

  private func randomKey() throws -> Secret {
    do throws(KeyError) {
      return try Secret.random(count: Self.keyCount)
    } catch {
      throw VaultError(error, path: path)
    }
  }

  /// The identifier of the file, which a vault records.
  func id() throws -> String {
    guard let id = try opened().read({ try SystemTables($0).vaultID }) else {
      throw VaultError(.damaged, "'\(path)' has no identifier. Restore it from a backup.")
    }
    return id.uuidString
  }

  /// Opens the file and creates its table, unless that is done.
  private func opened() throws -> VaultFile {
    let file = try vault.file()
    if file.sessions.isInScope {
      throw VaultError(
        .invalidArgument,
        "A key of '\(path)' cannot be used inside a transaction or read scope of that file, which may "
          + "be of an earlier state. End it first.")
    }
    if !isReady.load(ordering: .acquiring) {
      _ = try vault.store(of: Self.description)
      isReady.store(true, ordering: .releasing)
    }
    return file
  }

  /// Calls `body` in a transaction that is on the disk when it ends, and overwrites what it removes.
  ///
  /// A value must not be stored without its key after a power failure, and no destroyed key may come
  /// back. Another handle may have opened the file with other settings.
  private func changing<R>(_ file: VaultFile, _ body: (Session) throws -> R) throws -> R {
    try file.withWriter { session in
      try session.connection.set("synchronous", to: "2", expecting: "2")
      try session.connection.set("secure_delete", to: "1", expecting: "1")
      return try file.transaction(body)
    }
  }

  // MARK: The table

  private static let keyCount = 32
  private static let table = SQL.quoted("ErasableKey")

  /// The class of the keys.
  ///
  /// Rows are only appended, so a key never moves to another page.
  private static let description = ClassDescription(
    "ErasableKey",
    properties: [
      PropertyDescription("name", type: .string), PropertyDescription("key", type: .data),
      PropertyDescription("isDestroyed", type: .bool),
    ],
    indexes: [IndexDescription(["name"], unique: true)])

  private static func key(_ name: String, on session: Session) throws -> Key {
    try session.with(
      "SELECT \"key\", \"isDestroyed\" FROM \(table) WHERE \"name\" = ?1"
    ) { statement in
      statement.binder.bind(text: name, at: 0)
      guard try statement.step() else { return .missing }
      let row = statement.row
      if row.integer(at: 1) != 0 { return .destroyed }
      let key = row.withBytes(at: 0) { SharedSecret(Secret(copying: $0)) }
      guard key.count == keyCount else {
        throw VaultError(.damaged, "A key of the table \(table) has a wrong length.")
      }
      return .present(key)
    }
  }

  private static func run(_ sql: String, _ name: String, on session: Session) throws {
    try session.with(sql) { statement in
      statement.binder.bind(text: name, at: 0)
      try statement.run()
    }
  }

  private static func text(_ name: some ErasableKeyNaming) throws -> String {
    guard let text = ErasableKeyName.text(of: BoundValue(try name.storedValue)) else {
      throw VaultError(
        .invalidArgument, "The name of an erasable key is not a text or an integer.")
    }
    return text
  }
}
