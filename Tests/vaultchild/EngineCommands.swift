internal import Foundation
import ObjectVaultDriver
internal import ObjectVaultEngine

/// The commands for one connection.
///
/// Each prints one line and returns its exit code.
let engineCommands: [String: @Sendable ([String]) -> Int32] = [
  // Checks the engine.
  "engine-prove": { _ in
    answer { "engine \(try Engine.prove().cipherVersion)" }
  },
  // PATH KEY: creates a file with a table.
  "engine-create": { arguments in
    answer {
      let connection = try open(arguments[0], .create, key: arguments[1])
      try connection.execute("CREATE TABLE t(a)")
      try connection.close()
      return "created"
    }
  },
  // PATH KEY: creates a file and fills it while the process has another mask of the salt, if the
  // engine has such a setting. In a process of its own, because others would write under it too.
  "engine-salt-mask": { arguments in
    answer {
      let connection = try open(arguments[0], .create, key: arguments[1])
      try connection.writeFirstPage()
      var isFilled = false
      do {
        try SaltMask.whileSet(0, by: connection, Engine.prove()) { () throws(DriverError) in
          try connection.execute("CREATE TABLE t(a)")
          isFilled = true
        }
      } catch let error as DriverError where error.code == .unsupportedSettings {}
      if !isFilled { try connection.execute("CREATE TABLE t(a)") }
      try connection.close()
      return "created"
    }
  },
  // PATH KEY: opens for reading and writing, counts the tables, closes.
  "engine-count": { arguments in
    answer {
      let connection = try open(arguments[0], .readWrite, key: arguments[1])
      let count = try connection.prepare("SELECT count(*) FROM sqlite_master")
      _ = try count.step()
      let tables = count.row.integer(at: 0)
      count.reset()
      try connection.close()
      return "tables \(tables)"
    }
  },
  // PATH KEY BYTES: inserts until the file reaches the size limit.
  "engine-fill": { arguments in
    answer {
      var limit = rlimit()
      limit.rlim_cur = rlim_t(arguments[2]) ?? 0
      limit.rlim_max = limit.rlim_cur
      signal(SIGXFSZ, SIG_IGN)
      #if canImport(Glibc)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      #else
        setrlimit(RLIMIT_FSIZE, &limit)
      #endif
      let connection = try open(arguments[0], .readWrite, key: arguments[1])
      try connection.execute("BEGIN")
      let insert = try connection.prepare("INSERT INTO t VALUES(zeroblob(4000))")
      for _ in 0..<100_000 { try insert.run() }
      try connection.execute("COMMIT")
      return "never full"
    }
  },
  // PATH KEY: opens for writing as an unprivileged user.
  "engine-as-nobody": { arguments in
    answer {
      // The check of the engine loads its files while that is still allowed.
      _ = try Engine.prove()
      setgid(65534)
      setuid(65534)
      let connection = try open(arguments[0], .readWrite, key: arguments[1])
      try connection.close()
      return "opened"
    }
  },
]

private func open(
  _ path: String, _ mode: Connection.Mode, key: String
) throws -> Connection {
  let format = try Engine.prove().newestCipherFormat
  return try Array(key.utf8).withUnsafeBytes { key in
    try Connection(path: path, mode: mode, key: key, cipher: CipherSettings(format: format))
  }
}
