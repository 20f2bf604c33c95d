#if os(Linux)
  import Foundation
  import ObjectVaultCore
  import ObjectVaultEngine
  import Synchronization
  import TestSupport
  import Testing

  @testable import ObjectVaultKeys

  /// What stands of a key in the memory of a process that opened a vault, and what is left of it
  /// afterwards. The control: the same search finds the key while the vault is open, for the engine
  /// must have it.
  @Suite("The memory of a process", .cheapSlots) struct MemorySecrecyTests {
    private let folder: TemporaryFolder
    private let path: String
    /// The keys derived from passphrases of slots, by their salts: each takes half a second.
    private let derivedKeys = DerivedKeys()

    init() throws {
      folder = try TemporaryFolder()
      path = folder.file("v")
    }

    // MARK: Keys

    private final class DerivedKeys: Sendable {
      let bySalt = Mutex<[[UInt8]: [UInt8]]>([:])
    }

    private static func random(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in .random(in: 0...255) }
    }

    private func put(_ text: String, _ name: String) throws {
      try write(Data(text.utf8), to: folder.file(name))
      #expect(chmod(folder.file(name), 0o600) == 0)
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
      bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }

    /// A raw key in every form that it could have, with the key of the seals made from it.
    private func forms(of rawKey: [UInt8], _ name: String) throws -> [Needle] {
      let facts = try cipherInfo()
      let derived = try KeyDerivation.pbkdf2(
        Secret(copying: rawKey), salt: facts.salt.ofSeals(mask: 0x3a).bytes, rounds: 2,
        hash: facts.format.hash)
      let seal = derived.withUnsafeBytes { Array($0) }
      return [
        Needle("\(name), its bytes", rawKey),
        Needle("\(name), its digits", hexadecimal(rawKey).utf8),
        Needle("\(name), its upper-case digits", hexadecimal(rawKey).uppercased().utf8),
        Needle("\(name), its seals' key", seal),
      ]
    }

    /// A passphrase, and the raw key made from it.
    private func forms(ofPassphrase text: String, _ name: String) throws -> [Needle] {
      let facts = try cipherInfo()
      let derived = try KeyDerivation.pbkdf2(
        Secret(utf8: text), salt: facts.salt.bytes, rounds: facts.format.derivationRounds,
        hash: facts.format.hash)
      return [Needle(name, text.utf8)]
        + (try forms(of: derived.withUnsafeBytes { Array($0) }, "\(name)'s raw key"))
    }

    /// The salt of the file as it is now, and the format that every vault has here.
    private func cipherInfo() throws -> (format: CipherFormat, salt: FileSalt) {
      let format: CipherFormat = try Engine.prove().newestCipherFormat >= 4 ? .format4 : .format3
      return (format, try #require(FileSalt(try bytes(path).prefix(16))))
    }

    /// Whether the engine keeps its keys in memory of its own that no dump holds, and few forms of
    /// them: SQLCipher 4.7 and later, which are built from SQLite 3.49 and later.
    private var engineHidesKeys: Bool {
      get throws { try Engine.prove().sqliteVersionNumber >= 3_049_000 }
    }

    private func isFound(_ name: String, _ found: [String]) -> Bool {
      found.contains { $0.hasPrefix(name) }
    }

    /// What opens a keyring by a passphrase, and the data key of the file as it is now.
    private func forms(ofKeyringOpenedBy text: String, _ name: String) throws -> [Needle] {
      let (wrapping, master, dataKey) = try keyringKeys(text)
      return [
        Needle("\(name), passphrase", text.utf8),
        Needle("\(name), slot's key", wrapping),
        Needle("\(name), master key", master),
      ] + (try forms(of: dataKey, "\(name), data key"))
    }

    /// The keys of the keyring as it is now, which the passphrase of its first slot opens.
    private func keyringKeys(
      _ text: String
    ) throws -> (wrapping: [UInt8], master: [UInt8], dataKey: [UInt8]) {
      let keyring = try KeyringFile(besideVault: path).read().keyring
      let slot = try #require(keyring.slots.first)
      let wrapping = try derivedKeys.bySalt.withLock { known in
        if let key = known[slot.salt] { return key }
        let key = try KeyDerivation.scrypt(
          Secret(utf8: text), salt: slot.salt, cost: try #require(slot.cost))
        let bytes = key.withUnsafeBytes { Array($0) }
        known[slot.salt] = bytes
        return bytes
      }
      guard
        let master = try slot.master(under: Secret(copying: wrapping), vaultID: keyring.vaultID)
      else { throw CocoaError(.coderInvalidValue) }
      let bytes = master.withUnsafeBytes { Array($0) }
      let opened = OpenKeyring(keyring, master: SharedSecret(master), slotID: slot.id)
      let epoch = try #require(keyring.epoch(of: try cipherInfo().salt))
      return (
        wrapping, bytes,
        try opened.dataKey(of: epoch).withSecret { key in
          key.withUnsafeBytes { Array($0) }
        }
      )
    }

    // MARK: Tests

    @Test("holds a raw key while the vault is open, in none of its forms after closing")
    func rawKey() throws {
      let key = Self.random(32)
      try makeVault(path, key: .raw(key))
      try put(hexadecimal(key), "old")
      let moments = try WatchedProcess.run("open-raw", in: folder) { _ in try forms(of: key, "key")
      }
      #expect(moments.map(\.moment) == ["open", "closed"])
      for form in try ["key, its bytes"] + (engineHidesKeys ? [] : ["key, its seals' key"]) {
        #expect(isFound(form, moments[0].found), "\(moments[0].found)")
      }
      #expect(moments[1].found == [])
    }

    @Test("holds the key made from a passphrase while the vault is open, and nothing after closing")
    func passphrase() throws {
      let text = "quiet \(UUID())"
      try makeVault(path, key: .passphrase(text))
      try put(text, "old")
      let moments = try WatchedProcess.run("open-passphrase", in: folder) { _ in
        try forms(ofPassphrase: text, "words")
      }
      #expect(moments.map(\.moment) == ["open", "closed"])
      #expect(isFound("words's raw key, its bytes", moments[0].found), "\(moments[0].found)")
      #expect(!isFound("words in", moments[0].found), "\(moments[0].found)")
      #expect(moments[1].found == [])
    }

    @Test("holds a passphrase that can be read only once for as long as its source exists")
    func passphraseReadOnce() throws {
      let text = "quiet \(UUID())"
      try makeVault(path, key: .passphrase(text))
      try put(text, "old")
      let moments = try WatchedProcess.run("open-descriptor", in: folder) { _ in
        try forms(ofPassphrase: text, "words")
      }
      #expect(moments.map(\.moment) == ["open", "closed", "source is gone"])
      #expect(isFound("words in", moments[0].found), "\(moments[0].found)")
      #expect(moments[1].found == ["words in memory without a name"])
      #expect(moments[2].found == [])
    }

    @Test("keeps nothing of a passphrase that opens nothing")
    func wrongPassphrase() throws {
      try makeVault(path, key: .ofTests)
      let text = "wrong \(UUID())"
      try put(text, "new")
      let moments = try WatchedProcess.run("wrong-passphrase", in: folder) { _ in
        try forms(ofPassphrase: text, "words")
      }
      #expect(moments.map(\.moment) == ["refused"])
      #expect(moments[0].found == [])
    }

    @Test("holds both keys while an open vault is rekeyed, then the new one alone, then none")
    func rekey() throws {
      let keys = (old: Self.random(32), new: Self.random(32))
      try makeVault(path, key: .raw(keys.old))
      try put(hexadecimal(keys.old), "old")
      try put(hexadecimal(keys.new), "new")
      let oldForms = try forms(of: keys.old, "old")
      let moments = try WatchedProcess.run("rekey-raw", in: folder) { moment in
        try oldForms + forms(of: keys.new, "new")
      }
      #expect(moments.map(\.moment) == ["during", "rekeyed", "closed"])
      #expect(isFound("old, its bytes", moments[0].found))
      #expect(isFound("new, its bytes", moments[0].found))
      #expect(!isFound("old", moments[1].found), "\(moments[1].found)")
      #expect(
        isFound(try engineHidesKeys ? "new, its bytes" : "new, its seals' key", moments[1].found))
      #expect(moments[2].found == [])
    }

    @Test("holds neither passphrase after a rekey, and nothing made from the old one")
    func rekeyOfPassphrases() throws {
      let texts = (old: "old \(UUID())", new: "new \(UUID())")
      try makeVault(path, key: .passphrase(texts.old))
      try put(texts.old, "old")
      try put(texts.new, "new")
      let oldForms = try forms(ofPassphrase: texts.old, "old")
      let moments = try WatchedProcess.run("rekey-passphrase", in: folder) { moment in
        try oldForms + forms(ofPassphrase: texts.new, "new")
      }
      #expect(moments.map(\.moment) == ["during", "rekeyed", "closed"])
      #expect(!isFound("old", moments[1].found), "\(moments[1].found)")
      #expect(!isFound("new in", moments[1].found), "\(moments[1].found)")
      #expect(isFound("new's raw key, its bytes", moments[1].found))
      #expect(moments[2].found == [])
    }

    @Test("keeps nothing of a file that was copied and rekeyed without being opened as a vault")
    func files() throws {
      let texts = (old: "old \(UUID())", new: "new \(UUID())")
      try makeVault(path, key: .passphrase(texts.old))
      try put(texts.old, "old")
      try put(texts.new, "new")
      let oldForms = try forms(ofPassphrase: texts.old, "old")
      let moments = try WatchedProcess.run("files", in: folder) { moment in
        try oldForms + forms(ofPassphrase: texts.new, "new")
      }
      #expect(moments.map(\.moment) == ["copied", "rekeyed"])
      for moment in moments { #expect(moment.found == [], "\(moment.moment)") }
    }

    @Test("holds the data key of a keyring while the vault is open, and nothing after closing")
    func keyring() throws {
      let text = "slot \(UUID())"
      try makeVault(path, key: .keyring(.passphrase(text)))
      try put(text, "old")
      let moments = try WatchedProcess.run("open-keyring", in: folder) { _ in
        try forms(ofKeyringOpenedBy: text, "vault")
      }
      #expect(moments.map(\.moment) == ["open", "closed"])
      #expect(isFound("vault, data key, its bytes", moments[0].found), "\(moments[0].found)")
      for form in ["vault, passphrase", "vault, slot's key", "vault, master key"] {
        #expect(!isFound(form, moments[0].found), "\(moments[0].found)")
      }
      #expect(moments[1].found == [])
    }

    @Test("holds the new data key alone after a rotation, and nothing after closing")
    func rotation() throws {
      let text = "slot \(UUID())"
      try makeVault(path, key: .keyring(.passphrase(text)))
      try put(text, "old")
      let before = try forms(of: keyringKeys(text).dataKey, "old data key")
      let moments = try WatchedProcess.run("rotate", in: folder) { _ in
        try before + forms(ofKeyringOpenedBy: text, "vault")
      }
      #expect(moments.map(\.moment) == ["open", "rotated", "closed"])
      #expect(isFound("old data key, its bytes", moments[0].found))
      #expect(!isFound("old data key", moments[1].found), "\(moments[1].found)")
      #expect(isFound("vault, data key, its bytes", moments[1].found))
      for form in ["vault, passphrase", "vault, slot's key", "vault, master key"] {
        #expect(!isFound(form, moments[1].found), "\(moments[1].found)")
      }
      #expect(moments[2].found == [])
    }

    @Test("keeps nothing after a keyring was opened and its slots changed")
    func slots() throws {
      let texts = (old: "old \(UUID())", new: "new \(UUID())")
      try makeVault(path, key: .keyring(.passphrase(texts.old)))
      try put(texts.old, "old")
      try put(texts.new, "new")
      let moments = try WatchedProcess.run("slots", in: folder) { moment in
        try forms(ofKeyringOpenedBy: texts.old, "vault") + [
          Needle("new passphrase", texts.new.utf8)
        ]
      }
      #expect(moments.map(\.moment) == ["tested", "added", "changed", "removed"])
      for moment in moments { #expect(moment.found == [], "\(moment.moment)") }
    }

    // MARK: Core dumps

    /// Whether the system writes a dump into the folder of the process that ends; others hand it to a
    /// program.
    static let dumpsIntoFolder: Bool = {
      let pattern = try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
      guard let pattern, !pattern.contains("/"), !pattern.hasPrefix("|") else { return false }
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
      return limit.rlim_max == rlim_t.max
    }()

    @Test(
      "holds no key in a core dump after closing, while that of an open vault does",
      .enabled(
        if: dumpsIntoFolder,
        "core dumps of this system do not come into the folder of the process, or may not be written"
      ))
    func coreDump() throws {
      let key = Self.random(32)
      try makeVault(path, key: .raw(key))
      try put(hexadecimal(key), "old")
      let needles = try forms(of: key, "key")
      let isHeld = try found(needles, inCore: "raw", "open").contains("key, its bytes")
      #expect(try isHeld != engineHidesKeys)
      #expect(try found(needles, inCore: "raw", "closed") == [])
    }

    @Test(
      "holds of a keyring's keys the data key alone in a core dump while the vault is open",
      .enabled(
        if: dumpsIntoFolder,
        "core dumps of this system do not come into the folder of the process, or may not be written"
      ))
    func coreDumpOfKeyring() throws {
      let text = "slot \(UUID())"
      try makeVault(path, key: .keyring(.passphrase(text)))
      try put(text, "old")
      let needles = try forms(ofKeyringOpenedBy: text, "vault")
      let found = try found(needles, inCore: "keyring", "open")
      #expect(try found.contains("vault, data key, its bytes") != engineHidesKeys, "\(found)")
      #expect(found.allSatisfy { $0.hasPrefix("vault, data key") }, "\(found)")
      #expect(try self.found(needles, inCore: "keyring", "closed") == [])
    }

    /// The names of what a core dump of a child holds.
    private func found(
      _ needles: [Needle], inCore kind: String, _ moment: String
    ) throws -> [String] {
      let child = try ChildProcess.run("core", kind, moment, folder.path)
      #expect(!child.exited && child.status == SIGQUIT, "\(child.output)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let core = try #require(names.first { $0.hasPrefix("core") })
      defer { try? FileManager.default.removeItem(atPath: folder.file(core)) }
      let dump = try Data(contentsOf: folder.url.appendingPathComponent(core))
      // The dump is whole.
      #expect(dump.count > 1 << 20)
      return needles.filter { dump.holds(Data($0.bytes)) }.map(\.name)
    }
  }
#endif
