import Foundation
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultFile
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores
import TestSupport
import Testing

@Suite("Sealing keys")
struct SealingKeyTests {
  let folder: TemporaryFolder
  var path: String { folder.file("a.vault") }

  init() throws { folder = try TemporaryFolder() }

  func open(
    _ keys: SealingKeys?, key: VaultKey = .ofTests
  ) throws -> (Vault, ObjectStore<Patient>) {
    let vault = try Vault(at: path, key: key, configuration: .sealing(keys))
    return (vault, try vault.store(of: Patient.self))
  }

  @Test("A missing or wrong sealing key is an error", .covers("E6"))
  func wrongKey() throws {
    let missing = #expect(throws: VaultError.self) { try open(nil) }
    #expect(missing?.code == .noKey)
    let unused = try Vault(at: path, key: .ofTests)
    #expect(try unused.classes().isEmpty)
    unused.close()
    let (vault, patients) = try open(.ofTests(1))
    try patients.insert(Patient("Ada", "gout"))
    vault.close()
    for (keys, code) in [
      (nil, VaultError.Code.noKey), (try SealingKeys.ofTests(2), .wrongKey),
      (try SealingKeys(Secret(copying: [UInt8](repeating: 9, count: 32))), .wrongKey),
    ] {
      let error = #expect(throws: VaultError.self) { try open(keys) }
      #expect(error?.code == code)
    }
    var reading = VaultConfiguration.sealing(try .ofTests(2))
    reading.isReadOnly = true
    let reader = try Vault(at: path, key: .ofTests, configuration: reading)
    #expect(throws: VaultError.self) { try reader.store(of: Patient.self).all() }
    reader.close()
    let (again, same) = try open(.ofTests(1))
    #expect(try same.all().map(\.diagnosis) == ["gout"])
    again.close()
  }

  @Test("A later handle with other keys than the open file is an error", .covers("E6"))
  func laterHandle() throws {
    let (vault, patients) = try open(.ofTests(1))
    try patients.insert(Patient("Ada", "gout"))
    let other = VaultConfiguration.sealing(try .ofTests(2))
    let more = VaultConfiguration.sealing(try .ofTests(1, 2))
    for configuration in [other, more] {
      #expect(
        code { try Vault(at: path, key: .ofTests, configuration: configuration).open() }
          == .wrongKey)
    }
    #expect(try open(.ofTests(1)).1.count() == 1)
    #expect(try open(nil).1.all().map(\.diagnosis) == ["gout"])
    vault.close()
    let plain = try Vault(at: path, key: .ofTests)
    try plain.open()
    #expect(code { _ = try open(.ofTests(1)) } == .wrongKey)
    plain.close()
    #expect(try open(.ofTests(1)).1.count() == 1)
  }

  @Test("New values are sealed under the key with the highest number", .covers("E6"))
  func numbers() throws {
    let (first, old) = try open(.ofTests(1))
    try old.insert(Patient("Ada", "gout", email: "a"))
    first.close()
    let (vault, patients) = try open(.ofTests(1, 2))
    try patients.insert(Patient("Bob", "cold", email: "b"))
    #expect(try patients.all().map(\.diagnosis) == ["gout", "cold"])
    #expect(try patients.where("email IN {'a', 'b'}").count() == 2)
    #expect(throws: VaultError.self) { try patients.insert(Patient("C", "x", email: "a")) }
    let numbers = try vault.rows("SELECT hex(substr(diagnosis, 1, 5)) AS h FROM Patient")
    #expect(try numbers.map { try $0.value("h", as: String.self) } == ["0100000001", "0100000002"])
    vault.close()
    #expect(throws: VaultError.self) { try open(.ofTests(1)) }
    #expect(throws: VaultError.self) { try open(.ofTests(2)) }
  }

  @Test("Short keys and repeated numbers are rejected", .covers("E6"))
  func invalidKeys() throws {
    #expect(throws: KeyError.self) { try SealingKeys(Secret(count: 31)) }
    #expect(throws: KeyError.self) { try SealingKeys(Secret(count: 32), number: 0) }
    let keys = try SealingKeys.ofTests(1)
    #expect(throws: KeyError.self) { try keys.adding(Secret(count: 32), number: 1) }
  }

  @Test(
    "A vault with a keyring seals without further keys, across rotation and revocation",
    .covers("E7"))
  func keyring() throws {
    func slot(_ seed: UInt8, _ name: String) -> SlotKey {
      .raw([UInt8](repeating: seed, count: 32), slot: name)
    }
    let owner = slot(1, "main")
    let (vault, patients) = try open(nil, key: .keyring(owner))
    try patients.insert(Patient("Ada", "gout", email: "a"))
    try vault.rotate(unlockedBy: owner)
    #expect(try patients.all().map(\.diagnosis) == ["gout"])
    try patients.insert(Patient("Bob", "cold"))
    for count in 2...3 {
      try vault.rotate(unlockedBy: owner, keeping: [owner])
      try patients.insert(Patient("C", "new \(count)"))
      #expect(try patients.all().count == count + 1)
      #expect(throws: VaultError.self) { try patients.insert(Patient("D", "x", email: "a")) }
    }
    vault.close()
    let (again, same) = try open(nil, key: .keyring(owner))
    #expect(try same.all().map(\.diagnosis) == ["gout", "cold", "new 2", "new 3"])
    #expect(try same.where("email == 'a'").count() == 1)
    let numbers = try again.rows(
      "SELECT hex(substr(diagnosis, 1, 5)) AS h FROM Patient")
    #expect(
      try numbers.map { try $0.value("h", as: String.self) }
        == ["0100000001", "0100000001", "0100000002", "0100000003"])
    // A copy has a keyring of its own with the same sealing keys.
    let copy = folder.file("copy.vault")
    try again.backup(to: copy)
    again.close()
    let opened = try Vault(at: copy, key: .keyring(owner))
    #expect(try opened.store(of: Patient.self).all().count == 4)
    opened.close()
  }

  @Test("A revocation retains the sealing keys that another database uses", .covers("E7"))
  func keysOfAnotherDatabase() throws {
    let owner = SlotKey.raw([UInt8](repeating: 1, count: 32), slot: "main")
    let keys = try Vault(at: folder.file("keys.vault"), key: .keyring(owner))
    try keys.open()
    let keyring = try VaultKeyring(ofVaultAt: keys.path)
    let (vault, patients) = try open(keyring.sealingKeys(unlockedBy: owner))
    try patients.insert(Patient("Ada", "gout", email: "a"))
    vault.close()
    try keys.rotate(unlockedBy: owner, keeping: [owner])
    keys.close()
    try DatabaseFile(at: keys.path, key: .keyring(owner)).rotate(keeping: [owner])
    let (again, same) = try open(keyring.sealingKeys(unlockedBy: owner))
    #expect(try same.where("email == 'a'").all().map(\.diagnosis) == ["gout"])
    try same.insert(Patient("Bob", "cold"))
    let numbers = try again.rows("SELECT hex(substr(diagnosis, 1, 5)) AS h FROM Patient")
    #expect(try numbers.map { try $0.value("h", as: String.self) } == ["0100000001", "0100000003"])
    again.close()
  }
}

/// Copies and files under other keys.
extension SealingKeyTests {
  private var other: SlotKey { .raw([UInt8](repeating: 2, count: 32), slot: "other") }

  /// Returns the sealed values of a vault.
  private func diagnoses(
    _ path: String, _ key: VaultKey, _ keys: SealingKeys? = nil
  ) throws -> [String] {
    let vault = try Vault(at: path, key: key, configuration: .sealing(keys))
    defer { vault.close() }
    return try vault.store(of: Patient.self).all().map(\.diagnosis)
  }

  /// Makes a vault with a keyring and a value that is sealed under its second key.
  private func made() throws {
    let (vault, patients) = try open(nil, key: .keyring(owner))
    try vault.rotate(unlockedBy: owner, keeping: [owner])
    try patients.insert(Patient("Ada", "gout"))
    vault.close()
  }

  @Test("A copy under a keyring of its own contains the sealing keys", .covers("E7"))
  func copyUnderKeyring() throws {
    try made()
    let vault = try Vault(at: path, key: .keyring(owner))
    let copies = ["backup", "file", "restored", "salvaged"].map { folder.file("\($0).vault") }
    try vault.backup(to: copies[0], key: .keyring(other))
    vault.close()
    let file = try DatabaseFile(at: path, key: .keyring(owner))
    try file.backup(to: copies[1], key: .keyring(other))
    try file.restore(to: copies[2], key: .keyring(other))
    _ = try file.salvage(to: copies[3], key: .keyring(other))
    for copy in copies {
      #expect(try diagnoses(copy, .keyring(other)) == ["gout"])
      #expect(code { _ = try diagnoses(copy, .keyring(owner)) } == .noSuchSlot)
      // New values are under the own key of the copy.
      let opened = try Vault(at: copy, key: .keyring(other))
      try opened.store(of: Patient.self).insert(Patient("Bob", "cold"))
      let last = try opened.row(
        "SELECT hex(substr(diagnosis, 1, 5)) AS h FROM Patient WHERE name = 'Bob'")
      #expect(try last?.value("h", as: String.self) == "0100000003")
      #expect(try opened.verify().isSound)
      opened.close()
      #expect(try diagnoses(copy, .keyring(other)) == ["gout", "cold"])
    }
    #expect(try diagnoses(path, .keyring(owner)) == ["gout"])
  }

  @Test("A rekey to another keyring retains the sealing keys", .covers("E7"))
  func rekeyToKeyring() throws {
    try made()
    let keyring = folder.file("second.keyring")
    let vault = try Vault(at: path, key: .keyring(owner))
    let patients = try vault.store(of: Patient.self)
    try vault.rekey(to: .keyring(other, at: keyring))
    try patients.insert(Patient("Bob", "cold"))
    #expect(try patients.all().map(\.diagnosis) == ["gout", "cold"])
    vault.close()
    #expect(try diagnoses(path, .keyring(other, at: keyring)) == ["gout", "cold"])
    let third = folder.file("third.keyring")
    try DatabaseFile(at: path, key: .keyring(other, at: keyring))
      .rekey(to: .keyring(owner, at: third))
    #expect(try diagnoses(path, .keyring(owner, at: third)) == ["gout", "cold"])
    let file = try DatabaseFile(at: path, key: .keyring(owner, at: third))
    #expect(code { _ = try file.rekey(to: .ofTests) } == .invalidArgument)
  }

  @Test("A copy leaves the sealing keys behind only if that is requested", .covers("E7"))
  func copyWithoutKeys() throws {
    try made()
    let keys = try VaultKeyring(ofVaultAt: path).sealingKeys(unlockedBy: owner)
    let copy = folder.file("copy.vault")
    let file = try DatabaseFile(at: path, key: .keyring(owner))
    let works: [(String, (VaultKey?, Bool) throws -> Void)] = [
      (
        "vault",
        { [path, owner] key, omits in
          let vault = try Vault(at: path, key: .keyring(owner))
          defer { vault.close() }
          try vault.backup(to: copy, key: key, omittingSealingKeys: omits)
        }
      ),
      ("backup", { try file.backup(to: copy, key: $0, omittingSealingKeys: $1) }),
      ("restore", { try file.restore(to: copy, key: $0, omittingSealingKeys: $1) }),
      ("salvage", { _ = try file.salvage(to: copy, key: $0, omittingSealingKeys: $1) }),
    ]
    for (name, work) in works {
      #expect(code { try work(.ofTests, false) } == .invalidArgument, "\(name)")
      #expect(code { try work(nil, true) } == .invalidArgument, "\(name)")
      #expect(!FileManager.default.fileExists(atPath: copy), "\(name)")
      try work(.ofTests, true)
      let error = #expect(throws: VaultError.self) { try diagnoses(copy, .ofTests) }
      #expect(error?.code == .noKey, "\(name)")
      #expect(error?.message.contains("a new keyring has other ones") == true, "\(name)")
      #expect(try diagnoses(copy, .ofTests, keys) == ["gout"], "\(name)")
      try FileManager.default.removeItem(atPath: copy)
      try work(.keyring(other), true)
      #expect(code { _ = try diagnoses(copy, .keyring(other)) } == .wrongKey, "\(name)")
      try Vault.remove(at: copy)
    }
  }

  @Test("A backup is not restored under a keyring without its sealing keys", .covers("E7"))
  func restoreUnderOlderKeyring() throws {
    try made()
    let copy = folder.file("copy.vault")
    let file = try DatabaseFile(at: path, key: .keyring(owner))
    try file.backup(to: copy, key: .keyring(other))
    let backup = try DatabaseFile(at: copy, key: .keyring(other))
    // The keyring of the vault has the keys of all values.
    try backup.restore(to: path, replacing: true, key: .keyring(owner))
    #expect(try diagnoses(path, .keyring(owner)) == ["gout"])
    let opened = try Vault(at: copy, key: .keyring(other))
    try opened.store(of: Patient.self).insert(Patient("Bob", "cold"))
    opened.close()
    let error = #expect(throws: VaultError.self) {
      try backup.restore(to: path, replacing: true, key: .keyring(owner))
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains(path + ".keyring") == true)
    #expect(try diagnoses(path, .keyring(owner)) == ["gout"])
    for name in [".keyring", ".keyring~"] {
      try FileManager.default.removeItem(atPath: path + name)
    }
    try backup.restore(to: path, replacing: true, key: .keyring(owner))
    #expect(try diagnoses(path, .keyring(owner)) == ["gout", "cold"])
  }
}

extension SealingKeyTests {
  @Test("A vault with values sealed by its keyring keeps the keyring", .covers("E7"))
  func rekey() throws {
    let owner = SlotKey.raw([UInt8](repeating: 1, count: 32), slot: "main")
    let (vault, patients) = try open(nil, key: .keyring(owner))
    try patients.insert(Patient("Ada", "gout"))
    let error = #expect(throws: VaultError.self) { try vault.rekey(to: .ofTests) }
    #expect(error?.code == .invalidArgument)
    #expect(try patients.all().map(\.diagnosis) == ["gout"])
    vault.close()
    let file = try DatabaseFile(at: path, key: .keyring(owner))
    #expect(throws: VaultError.self) { try file.rekey(to: .ofTests) }
    try file.rotate(keeping: [owner])
    // Keys of the configuration are not those of a keyring.
    let other = try Vault(
      at: folder.file("b.vault"), key: .keyring(owner), configuration: .sealing(.ofTests(1)))
    let same = try other.store(of: Patient.self)
    try same.insert(Patient("Bob", "cold"))
    try other.rekey(to: .ofTests)
    #expect(try same.all().map(\.diagnosis) == ["cold"])
    other.close()
  }
}

/// Work on the key of a vault that waits for a transaction with the first sealed value.
extension SealingKeyTests {
  private var owner: SlotKey { .raw([UInt8](repeating: 1, count: 32), slot: "main") }

  /// Stores the first patient in a transaction while another thread waits to work on the key.
  private func whileStoring<R: Sendable>(
    in vault: Vault, _ work: @escaping @Sendable () throws -> R
  ) throws -> OnThread<R> {
    try vault.open()
    let lock = try vault.file().sessions.writerLock
    return try vault.transaction { () throws -> OnThread<R> in
      try vault.store(of: Patient.self).insert(Patient("Ada", "gout", email: "a"))
      let thread = OnThread(work)
      while lock.waiterCount == 0 { usleep(200) }
      return thread
    }
  }

  @Test("A value that is sealed while a revocation waits stays readable", .covers("E7"))
  func sealedBeforeRevocation() throws {
    let owner = owner
    let vault = try Vault(at: path, key: .keyring(owner))
    try whileStoring(in: vault) { try vault.rotate(unlockedBy: owner, keeping: [owner]) }.result()
    let patients = try vault.store(of: Patient.self)
    #expect(try patients.where("email == 'a'").all().map(\.diagnosis) == ["gout"])
    vault.close()
    let again = try Vault(at: path, key: .keyring(owner))
    #expect(try again.store(of: Patient.self).all().map(\.diagnosis) == ["gout"])
    again.close()
  }

  @Test("A value that is sealed while a rekey waits prevents the rekey", .covers("E7"))
  func sealedBeforeRekey() throws {
    let vault = try Vault(at: path, key: .keyring(owner))
    let rekey = try whileStoring(in: vault) { try vault.rekey(to: .ofTests) }
    let error = #expect(throws: VaultError.self) { try rekey.result() }
    #expect(error?.code == .invalidArgument)
    #expect(try vault.store(of: Patient.self).all().map(\.diagnosis) == ["gout"])
    vault.close()
  }
}

/// Sealing keys of two programs that use a vault at the same time.
extension SealingKeyTests {
  /// Records sealing keys in a vault, and creates the table of patients by the definitions, if there
  /// are some: as another program does that stores the class first.
  private func record(
    _ keys: SealingKeys, in vault: Vault, creating definitions: [String] = []
  ) throws {
    let codes = try VaultSealer(keys, path: path).codes()
    try vault.opened().transaction { session in
      let system = SystemTables(session)
      try system.create()
      for definition in definitions { try session.execute(definition) }
      if !definitions.isEmpty { try system.describe(Patient.classDescription) }
      for (number, code) in codes { try system.addSealingCode(number, code) }
    }
  }

  /// A key with the number 1 that differs from that of `ofTests(1)`.
  private var otherKeys: SealingKeys {
    get throws { try SealingKeys(Secret(copying: [UInt8](repeating: 9, count: 32))) }
  }

  @Test("Keys of a transaction that was rolled back are compared again", .covers("E6"))
  func rolledBack() throws {
    struct Stop: Error {}
    let vault = try Vault(at: path, key: .ofTests, configuration: .sealing(.ofTests(1)))
    var unfinished: ObjectStore<Patient>?
    var definitions: [String] = []
    try? vault.transaction {
      unfinished = try vault.store(of: Patient.self)
      definitions = try vault.opened().read { session in
        try session.with(
          "SELECT sql FROM sqlite_master WHERE tbl_name = 'Patient' AND sql IS NOT NULL"
        ) { statement in
          try statement.rows { $0.text(at: 0) ?? "" }
        }
      }
      throw Stop()
    }
    let store = try #require(unfinished)
    try record(otherKeys, in: vault, creating: definitions)
    // The transaction created the table.
    let writing = #expect(throws: VaultError.self) { try store.insert(Patient("Ada", "gout")) }
    #expect(writing?.code == .invalidated)
    let error = #expect(throws: VaultError.self) { try vault.store(of: Patient.self) }
    #expect(error?.code == .wrongKey)
  }

  /// Lets a vault compare its sealing keys and not record them, because a class cannot be stored.
  private func cacheKeys(of vault: Vault) throws {
    let visit = ClassDescription(
      "Visit",
      properties: [
        PropertyDescription("reason", String.self).sealed(),
        PropertyDescription("place", Int64?.self),
      ],
      references: [ReferenceDescription("place", target: "Missing")])
    let error = #expect(throws: VaultError.self) { try vault.store(of: visit) }
    #expect(error?.code == .invalidClass)
  }

  @Test("Cached keys are compared before a class is stored or sealed", .covers("E6"))
  func cached() throws {
    let vault = try Vault(at: path, key: .ofTests, configuration: .sealing(.ofTests(1)))
    let notes = try vault.store(of: .sealedNote(nil))
    try notes.insert(try DynamicObject(of: .sealedNote(nil)).setting("text", "plain"))
    try cacheKeys(of: vault)
    try record(.ofTests(2), in: vault)
    let other = #expect(throws: VaultError.self) { try vault.store(of: .sealedNote()) }
    #expect(other?.code == .wrongKey)
    #expect(try vault.rows("SELECT text FROM Note").map { $0["text"] } == [.text("plain")])
  }

  @Test("Cached keys that differ are compared again, and the class is not stored", .covers("E6"))
  func cachedAndDifferent() throws {
    let vault = try Vault(at: path, key: .ofTests, configuration: .sealing(.ofTests(1)))
    try cacheKeys(of: vault)
    try record(otherKeys, in: vault)
    let error = #expect(throws: VaultError.self) { try vault.store(of: Patient.self) }
    #expect(error?.code == .wrongKey)
    #expect(try vault.classes().isEmpty)
  }

  @Test("A new sealing key has a higher number than the first one", .covers("E4", "E6"))
  func lowerNumber() throws {
    let (first, patients) = try open(.ofTests(2))
    try patients.insert(Patient("Ada", "gout", email: "a"))
    first.close()
    let error = #expect(throws: VaultError.self) { try open(.ofTests(1, 2)) }
    #expect(error?.code == .wrongKey)
    #expect(error?.message.contains("higher number") == true)
    let (vault, same) = try open(.ofTests(2, 3))
    #expect(try same.where("email == 'a'").count() == 1)
    let duplicate = #expect(throws: VaultError.self) {
      try same.insert(Patient("Bob", "cold", email: "a"))
    }
    #expect(duplicate?.code == .duplicate)
    vault.close()
  }
}
