#if os(Linux)
  internal import Foundation
  internal import ObjectVaultCore
  internal import TestSupport

  /// Each makes something, forks, and prints what comes of using it in the child, one line per use, then
  /// what comes of using it in the parent afterwards. The argument is a folder.
  let forkCommands: [String: @Sendable ([String]) -> Int32] = [
    // Keys of every kind that were made before the fork: none makes a vault in the child.
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
        // A key that is made in the child is as good as any.
        say("own") {
          try Vault(at: "\(arguments[0])/own.vault", key: .passphrase("made in the child")).open()
        }
      }
      say("parent") { try Vault(at: "\(arguments[0])/parent.vault", key: keys[0].1).open() }
      return code
    },
    // A vault that is open, used in the child in every way, and on in the parent.
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
          // The engine would take the parent's locks for its own.
          say("again") { try Vault(at: path, key: .raw(Array(repeating: 7, count: 32))).open() }
          vault.close()
          write("closed")
        }
        try store.insert(MarkedObject("parent", number: 100))
        write("parent has \(try store.count())")
        return "\(code)"
      }
    },
    // A transaction and a read scope that the child is in the middle of.
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

  /// Runs `body` in a forked child, and waits for its end.
  ///
  /// - Returns: The child's exit code; 128 and more where a signal ended it.
  private func inForkedChild(_ body: () -> Void) -> Int32 { forked(body).code }

  /// - Parameter leaving: Whether the child returns too, instead of ending; what waits for it is then to
  ///   end by itself.
  private func forked(leaving: Bool = false, _ body: () -> Void) -> (isChild: Bool, code: Int32) {
    // The overlay offers no `fork`, which most programs should not use.
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

  /// Writes how a use went, past every buffer: the child ends without emptying any.
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
