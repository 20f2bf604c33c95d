import Foundation
package import ObjectVaultCore
internal import ObjectVaultEngine
internal import Synchronization

/// An operation that creates a database file from another one.
package enum FileOperation: String, CaseIterable, Sendable {
  case rekey, rotate, encryptInPlace, upgrade, compact
  case encrypt, decrypt, backup, restore, restoreOver

  /// Whether the new file replaces the original.
  package var isInPlace: Bool {
    switch self {
    case .rekey, .rotate, .encryptInPlace, .upgrade, .compact: true
    default: false
    }
  }

  /// Whether the original is in plaintext.
  package var readsClear: Bool { self == .encrypt || self == .encryptInPlace }

  /// Whether the new file can have its own key.
  package var takesNewKey: Bool {
    switch self {
    case .rekey, .encrypt, .encryptInPlace, .backup, .restore: true
    default: false
    }
  }

  package static let new = VaultKey.raw(hex: String(repeating: "a5", count: 32))
  package static let slot = SlotKey.raw(1...32)

  /// The key of the original; `nil` if it is in plaintext.
  package var key: VaultKey? {
    switch self {
    case .encrypt, .encryptInPlace: nil
    case .rotate: .keyring(Self.slot)
    default: .ofTests
    }
  }

  /// A key of the same kind that does not open the original.
  package var wrongKey: VaultKey? {
    readsClear ? nil : self == .rotate ? .keyring(.raw(2...33)) : Self.new
  }

  /// The files that were created, by their operation and number of objects; the names without the
  /// name of the original.
  private static let made = Mutex<[String: [String: Data]]>([:])

  /// Creates the original, and for ``restoreOver`` the vault to replace.
  ///
  /// Files that a test of the same process created are copied.
  package func makeFile(at path: String, objects: Int = 200) throws {
    let name = "\(self) \(objects)"
    var files = Self.made.withLock { $0[name] } ?? [:]
    if files.isEmpty {
      let folder = try TemporaryFolder()
      try create(at: folder.file("v"), objects: objects)
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        files[String(file.dropFirst())] = try Data(
          contentsOf: folder.url.appendingPathComponent(file))
      }
      Self.made.withLock { [files] in $0[name] = files }
    }
    for (suffix, content) in files {
      let isCreated = FileManager.default.createFile(
        atPath: path + suffix, contents: content, attributes: [.posixPermissions: 0o600])
      if !isCreated { throw CocoaError(.fileWriteUnknown) }
    }
  }

  private func create(at path: String, objects: Int) throws {
    if readsClear {
      let connection = try Connection.plain(path: path, mode: .create)
      try connection.execute(
        """
        CREATE TABLE t(id INTEGER PRIMARY KEY, body TEXT);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(objects))
          INSERT INTO t SELECT i, 'row ' || i || hex(zeroblob(200)) FROM n;
        """)
      try connection.close()
      return
    }
    let files =
      [(path, key ?? .ofTests, objects)]
      + (self == .restoreOver ? [(path + ".out", Self.new, 7)] : [])
    for (path, key, count) in files {
      let vault = try Vault(at: path, key: key)
      try vault.store(of: MarkedObject.self)
        .insert(contentsOf: (0..<count).map { MarkedObject("kept", number: $0) })
      vault.close()
    }
  }

  /// Returns the path of the new file.
  package func result(of path: String) -> String { isInPlace ? path : path + ".out" }

  /// Performs the operation.
  ///
  /// - Parameters:
  ///   - path: The path of the original.
  ///   - key: The key of the original.
  ///   - newKey: The key of the new file, if the operation has one.
  ///   - busyTimeout: The time to wait for locks.
  ///   - progress: A closure that receives the progress.
  /// - Throws: The errors of the operation.
  package func run(
    on path: String, key: VaultKey?, newKey: VaultKey = Self.new,
    busyTimeout: Duration = .milliseconds(100),
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws {
    let file = try DatabaseFile(at: path, key: key, busyTimeout: busyTimeout)
    let out = path + ".out"
    switch self {
    case .rekey: try file.rekey(to: newKey, progress: progress)
    case .rotate: try file.rotate(progress: progress)
    case .encryptInPlace: try file.encrypt(with: newKey, progress: progress)
    case .upgrade: try file.upgrade(pageSize: 8192, progress: progress)
    case .compact: try file.compact(progress: progress)
    case .encrypt: try file.encrypt(with: newKey, to: out, progress: progress)
    case .decrypt: try file.decrypt(to: out, progress: progress)
    case .backup: try file.backup(to: out, key: newKey, progress: progress)
    case .restore: try file.restore(to: out, key: newKey, progress: progress)
    case .restoreOver: try file.restore(to: out, replacing: true, progress: progress)
    }
  }

  /// Returns the number of objects in the new file, opened with its key.
  package func count(in path: String) throws -> Int {
    if self == .decrypt {
      let connection = try Connection.plain(path: result(of: path), mode: .readWrite)
      let rows = try connection.prepare("SELECT count(*) FROM \"MarkedObject\"")
      return try rows.step() ? Int(rows.row.integer(at: 0)) : 0
    }
    let key = takesNewKey ? Self.new : key ?? Self.new
    let vault = try Vault(at: result(of: path), key: key)
    defer { vault.close() }
    return try vault.store(named: readsClear ? "t" : "MarkedObject").count()
  }
}
