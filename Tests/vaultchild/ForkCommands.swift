#if os(Linux)
  internal import Foundation
  internal import ObjectVaultCore
  internal import TestSupport

  /// The commands that create objects, fork, and use the objects in both processes.
  ///
  /// Each prints one line for each use in the child, then one for the use in the parent. The
  /// argument is a folder.
  let forkCommands: [String: @Sendable ([String]) -> Int32] = [
    // Keys of every kind that were created before the fork. None of them may create a vault in the
    // child.
    "fork-keys": { arguments in
      let keys: [(String, VaultKey)] = [
        ("passphrase", .passphrase("a passphrase of some words")),
        ("raw", .raw(Array(1...32))),
        ("keyring", .keyring(.passphrase("a passphrase of some words"))),
        ("keyring-raw", .keyring(.raw(Array(1...32)))),
      ]
      let code = inForkedChild {
        for (name, key) in keys {
          let path = "\(arguments[0])/\(name).vault"
          say(name) { try Vault(at: path, key: key).open() }
          if FileManager.default.fileExists(atPath: path) { write("\(name) left a file") }
        }
        // A key that is created in the child works normally.
        say("own") {
          try Vault(at: "\(arguments[0])/own.vault", key: .passphrase("made in the child")).open()
        }
      }
      say("parent") { try Vault(at: "\(arguments[0])/parent.vault", key: keys[0].1).open() }
      return code
    },
    // The bytes of a secret from before the fork, which are zeros in the child.
    "fork-secret": { _ in
      let secret = Secret(copying: [1, 2, 3])
      let reading = inForkedChild { write("\(secret.withUnsafeBytes { Array($0) })") }
      var changed = secret.copy()
      let writing = inForkedChild { changed.withUnsafeMutableBytes { $0[0] = 7 } }
      return reading > 128 && writing > 128 ? 0 : 1
    },
    // An open vault. The child uses it in every way, and the parent continues to use it.
    "fork-vault": { arguments in
      answer {
        let path = "\(arguments[0])/v"
        let vault = try Vault(at: path, key: .ofTests)
        let store = try vault.store(of: MarkedObject.self)
        try store.insert(contentsOf: (0..<10).map { MarkedObject("x", number: $0) })
        let stream = try vault.store(of: MarkedObject.self).all().makeIterator()
        withExtendedLifetime(stream) {}
        _ = try store.count()
        let code = inForkedChild {
          say("count") { _ = try store.count() }
          say("all") { _ = try store.all() }
          say("insert") { try store.insert(MarkedObject("child", number: 99)) }
          say("transaction") { try vault.transaction {} }
          say("read") { try vault.read { _ = try store.count() } }
          say("store") { _ = try vault.store(of: MarkedObject.self) }
          say("open") { try vault.open() }
          say("rekey") { try vault.rekey(to: .raw(Array(1...32))) }
          say("backup") { try vault.backup(to: path + ".copy") }
          say("remove") { try vault.removeFile() }
          // The engine would mistake the parent's locks for its own.
          say("again") { try Vault(at: path, key: .raw(Array(repeating: 7, count: 32))).open() }
          vault.close()
          write("closed")
        }
        try store.insert(MarkedObject("parent", number: 100))
        write("parent has \(try store.count())")
        return "\(code)"
      }
    },
    // A temporary vault that the child releases. Its folder stays locked by the parent.
    "fork-temporary": { arguments in
      answer {
        var vault: Vault? = try Vault.temporary(in: URL(fileURLWithPath: arguments[0]))
        try vault?.open()
        let file = URL(fileURLWithPath: vault?.path ?? "")
        let code = inForkedChild { vault = nil }
        let lock = open(file.deletingLastPathComponent().path + "/lock", O_RDWR | O_CLOEXEC)
        let isLocked = flock(lock, LOCK_EX | LOCK_NB) != 0
        close(lock)
        vault?.close()
        return "\(code) \(lock >= 0 && isLocked ? "locked" : "not locked")"
      }
    },
    // A transaction and a read scope that are open in the child.
    "fork-transaction": { arguments in
      answer {
        let vault = try Vault(at: "\(arguments[0])/v", key: .ofTests)
        let store = try vault.store(of: MarkedObject.self)
        var codes: [Int32] = []
        var inChild = false
        try vault.read {
          _ = try store.count()
          let (isChild, code) = forked {
            say("read in a scope") { _ = try store.count() }
          }
          inChild = isChild
          codes.append(code)
        }
        if inChild { _exit(3) }
        do {
          try vault.transaction {
            try store.insert(MarkedObject("parent", number: 1))
            let (isChild, code) = forked(leaving: true) {
              say("insert in a transaction") {
                try store.insert(MarkedObject("child", number: 2))
              }
            }
            inChild = isChild
            codes.append(code)
            if !isChild { try store.insert(MarkedObject("parent", number: 3)) }
          }
        } catch let error as VaultError where inChild {
          write("commit: \(error.code)")
          _exit(0)
        }
        if inChild {
          write("committed in the child")
          _exit(4)
        }
        write("parent has \(try store.all().map(\.id).sorted())")
        return "\(codes)"
      }
    },
  ]

  /// Runs `body` in a forked child and waits for its end.
  ///
  /// Returns the child's exit code, or 128 plus the number of the signal that ended it.
  private func inForkedChild(_ body: () -> Void) -> Int32 { forked(body).code }

  /// Forks, runs `body` in the child, and waits in the parent.
  ///
  /// With `leaving`, the function also returns in the child, and the caller must end it.
  private func forked(leaving: Bool = false, _ body: () -> Void) -> (isChild: Bool, code: Int32) {
    // The overlay does not provide `fork`, which most programs should not use.
    guard let symbol = dlsym(nil, "fork") else { return (false, 71) }
    let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
    let child = fork()
    if child == 0 {
      body()
      if leaving { return (true, 0) }
      _exit(0)
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return (false, status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F)
  }

  /// Writes the result of a use without buffering, because the child ends without flushing buffers.
  private func say(_ name: String, _ use: () throws -> Void) {
    do {
      try use()
      write("\(name): done")
    } catch let error as VaultError {
      write("\(name): \(error.code)")
    } catch {
      write("\(name): \(error)")
    }
  }

  private func write(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
#endif
