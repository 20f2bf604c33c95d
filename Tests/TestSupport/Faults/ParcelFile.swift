import Foundation
import ObjectVaultCore
import ObjectVaultEngine

/// A database file of about 1 MB with parcels, in few pages.
///
/// Each write of a page is a call that can have a fault.
struct ParcelFile {
  /// The journal mode and the state of the file.
  enum Journal: String, Sendable {
    /// A write-ahead log, left by a crash with committed objects in it.
    case wal
    /// A write-ahead log that was closed regularly.
    case closed
    /// A rollback journal.
    case delete
    /// A rollback journal without any metadata of the library, as in a file of another program.
    case foreign
  }

  static let pageSize = 16384
  static let objects = 0..<150
  /// The objects of the file.
  ///
  /// They are computed once, because they are compared often.
  static let parcels = objects.map(Parcel.init)
  /// A number that no object of the file has, and the number that a bystander inserts.
  static let spare = 1000
  static let late = 999
  /// The initial key of every file, and the key that replaces it.
  static let old = VaultKey.raw(hex: oldDigits)
  static let new = VaultKey.raw(hex: newDigits)
  static let oldDigits = String(repeating: "5a", count: 32)
  static let newDigits = String(repeating: "c3", count: 32)

  /// The error codes for a key that does not open the file.
  static let refusals: Set<VaultError.Code> = [.wrongKey, .keyringMissing, .keyringMismatch]

  let path: String

  /// Creates the file with the old key.
  ///
  /// With ``Journal/wal``, it kills the process.
  func make(_ journal: Journal, format: Int? = nil) throws {
    let newest = try Engine.prove().newestCipherFormat
    let key = Array("x'\(Self.oldDigits)'".utf8)
    func connect() throws -> Connection {
      try key.withUnsafeBytes {
        try Connection(
          path: path, mode: .create, key: $0,
          cipher: CipherSettings(format: format ?? newest, pageSize: Self.pageSize))
      }
    }
    let empty = try connect()
    try empty.execute("CREATE TABLE first(a); DROP TABLE first")
    try empty.close()
    chmod(path, 0o600)
    try fill(Self.objects.dropLast(50))
    switch journal {
    case .delete, .foreign:
      try fill(Self.objects.suffix(50))
      let connection = try connect()
      if journal == .foreign {
        try connection.execute(
          "DROP TABLE objectvault_info; DROP TABLE objectvault_classes; PRAGMA application_id = 0")
      }
      try connection.setPragma("journal_mode", to: "DELETE", expecting: "delete")
      try connection.close()
    case .closed:
      try fill(Self.objects.suffix(50))
    case .wal:
      let vault = try Vault(at: path, key: Self.old)
      try vault.store(of: Parcel.self).insert(contentsOf: Self.objects.suffix(50).map(Parcel.init))
      kill(getpid(), SIGKILL)
    }
  }

  private func fill(_ numbers: Range<Int>) throws {
    let vault = try Vault(at: path, key: Self.old)
    try vault.store(of: Parcel.self).insert(contentsOf: numbers.map(Parcel.init))
    vault.close()
  }

  /// Returns whether the key opens the file.
  func isOpened(by key: VaultKey) throws -> Bool {
    var configuration = VaultConfiguration()
    configuration.creation = .never
    let vault = try Vault(at: path, key: key, configuration: configuration)
    defer { vault.close() }
    do {
      try vault.open()
      return true
    } catch let error as VaultError where Self.refusals.contains(error.code) {
      return false
    }
  }

  /// Opens the file for writing, checks that every object is present, and writes another one.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - added: The number of an object that was added later.
  /// - Returns: Whether the key opens the file.
  /// - Throws: ``FaultViolation`` if an object is missing or has changed.
  func isWhole(_ key: VaultKey, added: Int? = nil) throws -> Bool {
    var configuration = VaultConfiguration()
    configuration.creation = .never
    let vault = try Vault(at: path, key: key, configuration: configuration)
    defer { vault.close() }
    do {
      try vault.open()
    } catch let error as VaultError where Self.refusals.contains(error.code) {
      return false
    }
    let store = try vault.store(of: Parcel.self)
    let expected = Self.parcels + (added.map { [Parcel($0)] } ?? [])
    let found = try store.sorted(by: .ascending("number")).all()
    guard found == expected else {
      throw FaultViolation(
        "the objects are not what they were: \(found.count) instead of \(expected.count)")
    }
    try store.insert(Parcel(Self.spare))
    try store.remove(id: Self.spare)
    return true
  }

  /// Checks that the stock shell opens the file, finds every object, and reports no error.
  func checkByShell(digits: String, format: Int? = nil) throws {
    let newest = try Engine.prove().newestCipherFormat
    var statements = ["PRAGMA key=\"x'\(digits)'\";"]
    if let format, format < newest { statements.append("PRAGMA cipher_compatibility=\(format);") }
    let answer = try CipherShell.run(
      path,
      statements + [
        "PRAGMA cipher_page_size=\(Self.pageSize);",
        "SELECT 'found ' || count(*) || ' ' || sum(length(content)) FROM Parcel;",
        "PRAGMA integrity_check;",
      ])
    let size = Self.parcels.reduce(0) { $0 + $1.content.count }
    guard answer.contains("found \(Self.objects.count) \(size)\nok\n") else {
      throw FaultViolation("the stock shell says: \(answer)")
    }
  }
}
