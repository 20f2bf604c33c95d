package import ObjectVaultCore
internal import ObjectVaultEngine

/// Everything that makes a database file out of another one.
package enum FileOperation: String, CaseIterable, Sendable {
  case rekey, rotate, encryptInPlace, upgrade
  case encrypt, decrypt, backup, restore, restoreOver

  /// Whether the new file takes the place of the original.
  package var isInPlace: Bool {
    switch self {
    case .rekey, .rotate, .encryptInPlace, .upgrade: true
    default: false
    }
  }

  /// Whether the original is in clear.
  package var readsClear: Bool { self == .encrypt || self == .encryptInPlace }

  /// Whether a key of the new file's own is given.
  package var takesNewKey: Bool {
    switch self {
    case .rekey, .encrypt, .encryptInPlace, .backup, .restore: true
    default: false
    }
  }

  package static let new = VaultKey.raw(hex: String(repeating: "a5", count: 32))
  package static let slot = SlotKey.raw(1...32)

  /// What opens the original; `nil` in clear.
  package var key: VaultKey? {
    switch self {
    case .encrypt, .encryptInPlace: nil
    case .rotate: .keyring(Self.slot)
    default: .ofTests
    }
  }

  /// A key of the same kind that does not open it.
  package var wrongKey: VaultKey? {
    readsClear ? nil : self == .rotate ? .keyring(.raw(2...33)) : Self.new
  }

  /// Makes the original, and for ``restoreOver`` the vault that is to go.
  package func makeFile(at path: String, objects: Int = 200) throws {
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

  /// Where the new file is.
  package func result(of path: String) -> String { isInPlace ? path : path + ".out" }

  /// Does it.
  ///
  /// - Parameters:
  ///   - key: What is given as the key of the original.
  ///   - newKey: What is given as that of the new file, where one is.
  package func run(
    on path: String, key: VaultKey?, newKey: VaultKey = Self.new, busyTimeout: Double = 0.1,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws {
    let file = try DatabaseFile(at: path, key: key, busyTimeout: busyTimeout)
    let out = path + ".out"
    switch self {
    case .rekey: try file.rekey(to: newKey, progress: progress)
    case .rotate: try file.rotate(progress: progress)
    case .encryptInPlace: try file.encrypt(with: newKey, progress: progress)
    case .upgrade: try file.upgrade(pageSize: 8192, progress: progress)
    case .encrypt: try file.encrypt(with: newKey, to: out, progress: progress)
    case .decrypt: try file.decrypt(to: out, progress: progress)
    case .backup: try file.backup(to: out, key: newKey, progress: progress)
    case .restore: try file.restore(to: out, key: newKey, progress: progress)
    case .restoreOver: try file.restore(to: out, replacing: true, progress: progress)
    }
  }

  /// How many objects the new file has, opened as it must be.
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
