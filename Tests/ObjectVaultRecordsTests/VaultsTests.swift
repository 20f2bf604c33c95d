import Foundation
import ObjectVaultRecords
import Synchronization
import TestSupport
import Testing

@Suite("Vaults by name") struct VaultsTests {
  @Test("go by their names, the one without a name is the main one", .covers("A51"))
  func names() throws {
    let school = try School()
    #expect(school.vaults.names == ["main", "students", "private", "backup"])
    #expect(try school.vaults.vault().path == school.vaults.vault(named: "main").path)
    #expect(try school.vaults.vault(named: "private").path.hasSuffix("/li.vault"))
    #expect(code { try school.vaults.vault(named: "") } == .noSuchVault)
  }

  @Test("are open at once, each with its own file, key and settings", .covers("A50"))
  func several() throws {
    let school = School(in: try TemporaryFolder())
    let vaults = school.vaults
    let others = VaultKey.raw([UInt8](2...33))
    var log = VaultConfiguration()
    log.maximumReaders = 1
    try vaults.register(at: school.path("a"), key: School.key, classes: [Course.self])
    try vaults.register(
      "backup", at: school.path("b"), key: others, configuration: log, classes: [Course.self])
    try vaults.start()
    #expect(try vaults.vault().configuration.maximumReaders == 4)
    #expect(try vaults.vault(named: "backup").configuration.maximumReaders == 1)
    try school.use {
      try Course("a").save()
      try Course("b").save(in: "backup")
      try Course("c").save(in: "backup")
      // Inside of one another, too: neither sees the other's.
      try Course.read {
        let inside = try Course.read(in: "backup") { try Course.count() }
        let outside = try Course.count()
        #expect(inside == 2 && outside == 1)
      }
    }
    // Each file is its own key's alone.
    let keys = [School.key, others]
    for (name, own) in zip(["a", "b"], keys.indices) {
      for (index, key) in keys.enumerated() {
        let error = failure { try Vault(at: school.path(name), key: key).open() }
        #expect(error?.code == (index == own ? nil : .wrongKey))
      }
    }
    try vaults.unregister("backup")
    #expect(try school.use { try Course.all().map(\.code) } == ["a"])
  }

  @Test("the first one is the main one where none is called so", .covers("A52", "A55"))
  func first() throws {
    let school = School(in: try TemporaryFolder())
    #expect(code { try school.vaults.vault() } == .noSuchVault)
    let first = try school.vaults.register(
      "a", at: school.path("a"), key: School.key, classes: [Note.self])
    try school.vaults.register("b", at: school.path("b"), key: School.key, classes: [Student.self])
    #expect(try school.vaults.vault() === first)
    let main = try school.vaults.register(
      at: school.path("c"), key: School.key, classes: [Course.self])
    #expect(try school.vaults.vault() === main)
    let unknown = try #require(failure { try school.vaults.vault(named: "d") })
    #expect(unknown.code == .noSuchVault)
    #expect("\(unknown)".contains("'d'") && "\(unknown)".contains("'a', 'b', 'main'"))
  }

  @Test("refuse a name and a file that they have, and a name of nothing", .covers("A52"))
  func duplicates() throws {
    let school = School(in: try TemporaryFolder())
    let (vaults, key) = (school.vaults, School.key)
    try vaults.register(at: school.path("a"), key: key, classes: [Note.self])
    #expect(
      code { try vaults.register(at: school.path("b"), key: key, classes: [Student.self]) }
        == .invalidArgument)
    #expect(
      code { try vaults.register("main", at: school.path("b"), key: key, classes: [Student.self]) }
        == .invalidArgument)
    #expect(
      code { try vaults.register("", at: school.path("b"), key: key, classes: [Student.self]) }
        == .invalidArgument)
    // The folder of all these is not made yet.
    try FileManager.default.createSymbolicLink(
      atPath: school.folder.file("link"), withDestinationPath: school.folder.path)
    for same in ["vaults/a", "link/vaults/a", "vaults/./a", "vaults/b/../a"] {
      let path = school.folder.file(same + ".vault")
      let error = failure {
        try vaults.register("b", at: path, key: key, classes: [Student.self])
      }
      #expect(error?.code == .invalidArgument && error?.message.contains("'main'") == true)
    }
    #expect(vaults.names == ["main"])
    #expect(
      code { try vaults.register("b", at: school.path("b"), key: .raw([1]), classes: []) }
        == .invalidKey)
    try vaults.register("b", at: school.path("b"), key: key, classes: [Student.self])
    #expect(vaults.names == ["main", "b"])
  }

  @Test("starting makes the folder, the files and the tables", .covers("A56", "P31", "J48"))
  func start() throws {
    let school = School(in: try TemporaryFolder())
    let (vaults, key) = (school.vaults, School.key)
    #expect(code { try vaults.start() } == .invalidArgument)
    try vaults.register(
      at: school.path("a"), key: key, classes: [Student.self, Note.self])
    #expect(try FileManager.default.contentsOfDirectory(atPath: school.folder.path) == [])
    try vaults.start()
    #expect(school.isThere("a"))
    let rights = try FileManager.default.attributesOfItem(atPath: school.folder.file("vaults"))
    #expect(rights[.posixPermissions] as? Int == 0o700)
    #expect(try Set(vaults.vault().classes().map(\.name)) == ["Student", "Note"])
    #expect(try vaults.classes().map { "\($0)" } == ["Student", "Note"])
    #expect(try vaults.classes(at: school.path("a")).map { "\($0)" } == ["Student", "Note"])
    #expect(try vaults.classes(at: school.path("b")).isEmpty)
    #expect(code { try vaults.classes(of: "b") } == .noSuchVault)

    try vaults.register("b", at: school.path("b"), key: key, classes: [])
    let error = failure { try vaults.start() }
    #expect(error?.code == .invalidArgument && error?.message.contains("'b'") == true)
    #expect(!school.isThere("b"))
  }

  @Test("starting brings tables that are there to the forms of their classes", .covers("P31"))
  func upgrade() throws {
    let school = School(in: try TemporaryFolder())
    let path = school.folder.file("a.vault")
    let older = ClassDescription(
      "Student",
      properties: [PropertyDescription("name", String.self), PropertyDescription("age", Int.self)])
    let before = try Vault(at: path, key: School.key)
    _ = try before.store(of: older)
    before.close()
    let vault = try school.vaults.register(at: path, key: School.key, classes: [Student.self])
    try school.vaults.start()
    let properties = try vault.store(named: "Student").classDescription.properties
    #expect(properties.map(\.name) == ["name", "age", "note"])
  }

  @Test("starting makes nothing where nothing may be made, and says where a folder cannot be")
  func startWithoutFile() throws {
    let school = School(in: try TemporaryFolder())
    var configuration = VaultConfiguration()
    configuration.creation = .never
    try school.vaults.register(
      at: school.path("a"), key: School.key, configuration: configuration, classes: [Note.self])
    #expect(code { try school.vaults.start() } == .noSuchFile)
    #expect(try FileManager.default.contentsOfDirectory(atPath: school.folder.path) == [])
    try school.vaults.unregister()
    try Data().write(to: school.folder.url.appendingPathComponent("vaults"))
    try school.vaults.register(at: school.path("a"), key: School.key, classes: [Note.self])
    #expect(code { try school.vaults.start() } == .cannotOpen)
  }

  @Test("a class finds the one that it was registered with", .covers("A53", "J48"))
  func homes() throws {
    let school = try School()
    try school.use {
      var li = Student(name: "Li")
      try li.save()
      try Note("x").save()
      try Course("a").save()
      #expect(try Student.store().vault.path == school.vaults.vault(named: "students").path)
      #expect(try Student.count() == 1 && Note.count() == 1 && Course.count() == 1)
      #expect(try Course.count(in: "backup") == 0)
      #expect(try school.vaults.vault().store(of: Course.self).count() == 1)
      #expect(
        try school.vaults.vault(named: "private").classes().map(\.name) == ["Note"])
    }
  }

  @Test("a class has one vault of its own, or says which", .covers("A53"))
  func ambiguity() throws {
    let school = School(in: try TemporaryFolder())
    let (vaults, key) = (school.vaults, School.key)
    try vaults.register("a", at: school.path("a"), key: key, classes: [Note.self, Course.self])
    let error = failure {
      try vaults.register("b", at: school.path("b"), key: key, classes: [Note.self])
    }
    #expect(error?.code == .invalidArgument && error?.message.contains("'Note'") == true)
    #expect(
      code {
        try vaults.register(
          "b", at: school.path("b"), key: key, classes: [Student.self, Student.self])
      } == .invalidArgument)
    // The class says 'main', which is not registered, or not with it.
    for _ in 1...2 {
      #expect(code { try vaults.start() } == .noSuchVault)
      let unnamed = school.use { failure { try Course.count() } }
      #expect(unnamed?.code == .noSuchVault && unnamed?.message.contains("'main'") == true)
      if vaults.names == ["a"] {
        try vaults.register(at: school.path("b"), key: key, classes: [Student.self])
      }
    }
    let unregistered = School(in: try TemporaryFolder()).use { failure { try Note.all() } }
    #expect(unregistered?.code == .noSuchVault)
    #expect(unregistered?.message.contains("'Note'") == true)
  }

  @Test("what a class inherits does not say where it belongs", .covers("P55"))
  func inheritance() throws {
    let school = try School()
    // It inherits the name of a vault that is there.
    #expect(Pet.vaultName == "main")
    #expect(school.use { code { try Pet.count() } } == .noSuchVault)
    #expect(school.use { code { try Pet.all(in: "main") } } == .noSuchVault)
    let other = School(in: try TemporaryFolder())
    try other.vaults.register(at: other.path("a"), key: School.key, classes: [Pet.self])
    // Its own registration counts; that it cannot be stored is the vault's to say.
    #expect(other.use { code { try Pet.count() } } == .cannotOpen)
    #expect(code { try other.vaults.start() } == .invalidClass)
  }

  @Test("are forgotten and closed")
  func unregister() throws {
    let school = try School()
    try school.use {
      let notes = try Note.store().query
      try school.vaults.unregister("private")
      #expect(code { try notes.count() } == .closed)
      #expect(code { try Note.count() } == .noSuchVault)
      #expect(code { try school.vaults.unregister("private") } == .noSuchVault)
      try school.vaults.register(
        "private", at: school.path("li"), key: School.key, classes: [Note.self])
      #expect(try Note.count() == 0)
    }
  }

  @Test("can be used by all threads at once")
  func threads() async throws {
    let school = try School()
    let (vaults, key) = (school.vaults, School.key)
    try school.use { try Course("a").save() }
    let registered = Mutex(0)
    try await onOwnThread {
      DispatchQueue.concurrentPerform(iterations: 32) { number in
        let name = "extra \(number / 2)"
        if (try? vaults.register(name, at: school.path(name), key: key, classes: [])) != nil {
          registered.withLock { $0 += 1 }
        }
        let count = school.use { try? Course.count() }
        #expect(count == 1)
        if number.isMultiple(of: 2) {
          _ = try? vaults.replace("private", at: school.path("user \(number)"), key: key)
        }
      }
    }
    #expect(registered.withLock { $0 } == 16)
    #expect(vaults.names.count == 20)
    #expect(try school.use { try Note.count() } == 0)
  }

  @Test("other vaults are the current ones for one task", .covers("A50"))
  func scopes() async throws {
    let (one, two) = (try School(), try School())
    try one.use { try Course("a").save() }
    #expect(try two.use { try Course.count() } == 0)
    let counts = try await Vaults.$current.withValue(one.vaults) {
      async let first = Student.read { try Student.count() }
      return try await [first, Student.read { try Student.all().count }]
    }
    #expect(counts == [0, 0])
  }
}
