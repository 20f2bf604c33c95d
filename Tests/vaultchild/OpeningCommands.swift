internal import Foundation
internal import ObjectVaultCore
internal import ObjectVaultEngine
internal import TestSupport

/// The commands for one vault.
///
/// Each prints one line and returns its exit code, unless it kills itself.
let openingCommands: [String: @Sendable ([String]) -> Int32] = [
  // PATH BYTES kill|fail: creates a vault with a file size limit in bytes. Writing more kills the
  // process, or fails.
  "vault-create": { arguments in
    answer {
      let vault = try Vault(at: arguments[0], key: .ofTests)
      _ = try Engine.prove()
      limitFiles(to: arguments[1], isFatal: arguments[2] == "kill")
      // The printed output goes to a file, too.
      defer { limitFiles(to: "\(rlim_t.max)", isFatal: false) }
      try vault.open()
      return "created"
    }
  },
  // FOLDER: creates a temporary vault, keeps it open until standard input ends, and is killed.
  "vault-temporary": { arguments in
    answer {
      let vault = try Vault.temporary(in: URL(fileURLWithPath: arguments[0]))
      try vault.store(of: MarkedObject.self).insert(MarkedObject("left", number: 1))
      FileHandle.standardOutput.write(Data("ready\n".utf8))
      _ = FileHandle.standardInput.readDataToEndOfFile()
      kill(getpid(), SIGKILL)
      return "not killed"
    }
  },
  // PATH BYTES: inserts a batch with a file size limit in bytes, then another object without the
  // limit.
  "vault-fill": { arguments in
    answer {
      let vault = try Vault(at: arguments[0], key: .ofTests)
      let store = try vault.store(of: MarkedObject.self)
      limitFiles(to: arguments[1], isFatal: false)
      var outcome = "never full"
      do {
        try store.insert(contentsOf: (1000..<40_000).map { MarkedObject("x", number: $0) })
      } catch let error as VaultError {
        outcome = "\(error.code)"
      }
      limitFiles(to: "\(rlim_t.max)", isFatal: false)
      try store.insert(MarkedObject("after", number: 0))
      return "\(outcome) then \(try store.count())"
    }
  },
  // PATH MARKER COMMITTED UNCOMMITTED: writes COMMITTED objects, then UNCOMMITTED objects in a
  // transaction, in which the process is killed.
  "vault-crash": { arguments in
    answer {
      var configuration = VaultConfiguration()
      configuration.writerCache = .mebibytes(1)
      let vault = try Vault(at: arguments[0], key: .ofTests, configuration: configuration)
      let store = try vault.store(of: MarkedObject.self)
      let committed = Int(arguments[2]) ?? 0
      let uncommitted = Int(arguments[3]) ?? 0
      try store.insert(contentsOf: (0..<committed).map { MarkedObject(arguments[1], number: $0) })
      try vault.transaction {
        try store.insert(
          contentsOf: (0..<uncommitted).map { MarkedObject(arguments[1], number: committed + $0) })
        kill(getpid(), SIGKILL)
      }
      return "not killed"
    }
  },
  // PATH PASSPHRASE FORMAT: changes all rows of table t of a file with a rollback journal, and is
  // killed before the commit.
  "journal-crash": { arguments in
    answer {
      let format = try Engine.prove().newestCipherFormat
      var options = ConnectionOptions()
      options.cacheKiB = 16
      let connection = try Array(arguments[1].utf8).withUnsafeBytes { key in
        try Connection(
          path: arguments[0], mode: .readWrite, key: key, cipher: CipherSettings(format: format),
          options: options)
      }
      try connection.execute("BEGIN; UPDATE t SET body = hex(randomblob(400))")
      kill(getpid(), SIGKILL)
      return "not killed"
    }
  },
  // PATH MASK: creates a vault with this umask (octal), which allows access to all users, and
  // prints the file modes.
  "vault-modes": { arguments in
    answer {
      umask(mode_t(arguments[1], radix: 8) ?? 0)
      let vault = try Vault(at: arguments[0], key: .ofTests)
      let store = try vault.store(of: MarkedObject.self)
      try store.insert(MarkedObject("x", number: 0))
      return try ["", "-wal", "-shm"].map { suffix in
        let attributes = try FileManager.default.attributesOfItem(atPath: arguments[0] + suffix)
        return String((attributes[.posixPermissions] as? Int) ?? 0, radix: 8)
      }.joined(separator: " ")
    }
  },
  // PATH read|write|remove: opens a vault as an unprivileged user. If it was opened for writing, it
  // inserts an object in a transaction that is rolled back, or removes the vault. It prints the
  // result.
  "vault-as-nobody": { arguments in
    answer {
      // The check of the engine loads its files while that is still allowed.
      _ = try Engine.prove()
      setgid(65534)
      setuid(65534)
      var configuration = VaultConfiguration()
      configuration.isReadOnly = arguments[1] == "read"
      let vault = try Vault(at: arguments[0], key: .ofTests, configuration: configuration)
      let store = try vault.store(of: MarkedObject.self)
      let found = "objects \(try store.count())"
      if configuration.isReadOnly { return found }
      if arguments[1] == "remove" {
        do {
          try Vault.remove(at: arguments[0])
        } catch let error as VaultError {
          return "\(found) then \(error.code) then objects \(try store.count())"
        }
        return "\(found) then removed"
      }
      do {
        try vault.attempt {
          try store.insert(MarkedObject("x", number: -1))
          return false
        }
      } catch let error as VaultError {
        return "\(found) then \(error.code)"
      }
      return "\(found) then inserted"
    }
  },
  // PATH: opens a vault with the raw key 1...32, creates a copy for an upgrade, and is killed in the
  // upgrade.
  "vault-killed-upgrade": { arguments in
    answer {
      var configuration = VaultConfiguration()
      configuration.upgradeBackup = .keep
      configuration.schema = VaultSchema(version: 2).step(from: 1) { _ in
        _ = kill(getpid(), SIGKILL)
      }
      try Vault(at: arguments[0], key: .raw(1...32), configuration: configuration).open()
      return "not killed"
    }
  },
  // PATH NAME: opens or creates the vault and inserts one object.
  "vault-join": { arguments in
    answer {
      let vault = try Vault(at: arguments[0], key: .ofTests)
      try vault.store(of: MarkedObject.self).insert(MarkedObject(arguments[1], number: 0))
      return "inserted"
    }
  },
]

func limitFiles(to bytes: String, isFatal: Bool) {
  var limit = rlimit()
  limit.rlim_cur = rlim_t(bytes) ?? 0
  limit.rlim_max = .max
  // The signal's disposition is inherited from the parent.
  signal(SIGXFSZ, isFatal ? SIG_DFL : SIG_IGN)
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGXFSZ)
  sigprocmask(SIG_UNBLOCK, &signals, nil)
  #if canImport(Glibc)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
  #else
    setrlimit(RLIMIT_FSIZE, &limit)
  #endif
}
