#if os(Linux)
  internal import Foundation
  internal import ObjectVaultCore
  internal import TestSupport

  /// The commands `memory SCENARIO FOLDER`, `core KEY MOMENT FOLDER` and `verify-limited PATH`.
  ///
  /// `memory` works with keys from files in the folder and searches its own memory at moments that
  /// the test knows. `core` ends with a core dump at a moment of a vault with a raw key or with a
  /// keyring. `verify-limited` verifies a vault with at most 1 GiB of further memory, is ended after
  /// two minutes, and prints the number of bad pages.
  let memoryCommands: [String: @Sendable ([String]) -> Int32] = [
    "memory": { arguments in
      do {
        let moments = try WatchedProcess.Moments(in: arguments[1])
        do {
          guard let scenario = memoryScenarios[arguments[0]] else { return 64 }
          try scenario(arguments[1], moments.reach)
          try moments.end()
          return 0
        } catch {
          moments.fail(error)
          try moments.end()
          return 71
        }
      } catch {
        print(error)
        return 71
      }
    },
    "core": { arguments in
      do {
        let (kind, moment, folder) = (arguments[0], arguments[1], arguments[2])
        let key: VaultKey =
          kind == "keyring" ? .keyring(slotKey(folder, "old")) : keyFile(folder, "old", .raw)
        let vault = try Vault(at: folder + "/v", key: key)
        _ = try vault.store(of: MarkedObject.self).all()
        if moment == "closed" { vault.close() }
        dumpCore(in: folder)
        withExtendedLifetime(vault) {}
        return 71
      } catch {
        print(error)
        return 71
      }
    },
    "verify-limited": { arguments in
      answer {
        let kibibytes = try ProcessMemory.reserved() + 1 << 20
        var limit = rlimit(rlim_cur: rlim_t(kibibytes) << 10, rlim_max: .max)
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        alarm(120)
        return "\(try DatabaseFile(at: arguments[0], key: .ofTests).verify().badPages.count)"
      }
    },
  ]

  private typealias Reach = (_ moment: String) throws -> Void

  /// The scenarios, which work in a folder.
  ///
  /// A call of `reach` searches the memory at a moment.
  private let memoryScenarios: [String: @Sendable (String, @escaping Reach) throws -> Void] = [
    // A vault is opened, read on several threads, written, and closed.
    "open-raw": { folder, reach in try use(folder, keyFile(folder, "old", .raw), reach) },
    "open-passphrase": { folder, reach in try use(folder, keyFile(folder, "old"), reach) },
    // A passphrase that does not open the vault.
    "wrong-passphrase": { folder, reach in
      do {
        try Vault(at: folder + "/v", key: keyFile(folder, "new")).open()
      } catch let error as VaultError {
        guard error.code == .wrongKey else { throw error }
        try reach("refused")
      }
    },
    // An open vault is rekeyed.
    "rekey-raw": { folder, reach in
      try rekey(folder, from: keyFile(folder, "old", .raw), to: keyFile(folder, "new", .raw), reach)
    },
    "rekey-passphrase": { folder, reach in
      try rekey(folder, from: keyFile(folder, "old"), to: keyFile(folder, "new"), reach)
    },
    // A passphrase that can be read only once is retained as long as it can be needed.
    "open-descriptor": { folder, reach in
      let descriptor = open(folder + "/old", O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      try use(folder, .source(.descriptor(descriptor)), reach)
      try reach("source is gone")
    },
    "open-keyring": { folder, reach in try use(folder, .keyring(slotKey(folder, "old")), reach) },
    // An open vault with a keyring gets a new data key.
    "rotate": { folder, reach in
      let key = slotKey(folder, "old")
      let vault = try Vault(at: folder + "/v", key: .keyring(key))
      let store = try vault.store(of: MarkedObject.self)
      try reach("open")
      try vault.rotate(unlockedBy: key)
      _ = try store.all()
      try reach("rotated")
      vault.close()
      try reach("closed")
    },
    // A keyring is changed while no vault is open.
    "slots": { folder, reach in
      let keyring = try VaultKeyring(ofVaultAt: folder + "/v")
      let (owner, other) = (slotKey(folder, "old"), slotKey(folder, "new"))
      try keyring.test(owner)
      try reach("tested")
      try keyring.addSlot("second", owner, unlockedBy: owner)
      try reach("added")
      try keyring.changeKey(ofSlot: "second", to: other, unlockedBy: owner)
      try reach("changed")
      try keyring.removeSlot("second", unlockedBy: owner)
      try reach("removed")
    },
    // A closed file is copied and rekeyed.
    "files": { folder, reach in
      let file = try DatabaseFile(at: folder + "/v", key: keyFile(folder, "old"))
      try file.backup(to: folder + "/copy", key: keyFile(folder, "new"))
      try reach("copied")
      try file.rekey(to: keyFile(folder, "new"))
      try reach("rekeyed")
    },
  ]

  private func slotKey(_ folder: String, _ name: String) -> SlotKey {
    .source(.file(folder + "/" + name))
  }

  private func keyFile(
    _ folder: String, _ name: String, _ contents: KeySource.Contents = .passphrase
  ) -> VaultKey {
    .source(.file(folder + "/" + name, holding: contents))
  }

  private func use(_ folder: String, _ key: VaultKey, _ reach: @escaping Reach) throws {
    let vault = try Vault(at: folder + "/v", key: key)
    let store = try vault.store(of: MarkedObject.self)
    try vault.read {
      _ = try store.all()
      let other = DispatchSemaphore(value: 0)
      // A second connection that reads.
      Thread.detachNewThread {
        _ = try? store.all()
        other.signal()
      }
      other.wait()
    }
    try store.insert(MarkedObject("\(UUID())", number: 0))
    try reach("open")
    vault.close()
    try reach("closed")
  }

  private func rekey(
    _ folder: String, from key: VaultKey, to newKey: VaultKey, _ reach: @escaping Reach
  ) throws {
    let vault = try Vault(at: folder + "/v", key: key)
    _ = try vault.store(of: MarkedObject.self).all()
    var hasReached = false
    try vault.rekey(to: newKey) { progress in
      guard progress.phase == .comparing, !hasReached else { return }
      hasReached = true
      try reach("during")
    }
    _ = try vault.store(of: MarkedObject.self).all()
    try reach("rekeyed")
    vault.close()
    try reach("closed")
  }

  /// Ends the process so that the system writes its memory to the folder.
  private func dumpCore(in folder: String) {
    var unlimited = rlimit(rlim_cur: .max, rlim_max: .max)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &unlimited)
    _ = chdir(folder)
    // Bypass the handler that prints a backtrace.
    signal(SIGQUIT, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGQUIT)
    sigprocmask(SIG_UNBLOCK, &signals, nil)
    kill(getpid(), SIGQUIT)
  }
#endif
