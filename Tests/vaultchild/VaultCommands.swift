internal import ObjectVaultCondition
internal import ObjectVaultCore
internal import TestSupport

/// The commands for one vault with the tests' notes.
///
/// Each prints one line.
let vaultCommands: [String: @Sendable ([String]) -> Int32] = [
  // PATH MILLISECONDS: writes in eight threads with shared commits, and prints the returned
  // transactions. The process kills itself MILLISECONDS after the first one returned.
  "group-killed": { arguments in
    answer { try writeInGroups(at: arguments[0], killedAfter: UInt32(arguments[1]) ?? 0) }
  },
  // PATH TIMEOUT: inserts a note. TIMEOUT is the busy timeout in seconds.
  "vault-insert": { arguments in
    do {
      var configuration = VaultConfiguration()
      configuration.busyTimeout = .seconds(Double(arguments[1]) ?? 5)
      let vault = try Vault(
        at: arguments[0], key: .ofTests, configuration: configuration)
      let notes = try vault.store(named: "Note")
      var note = try DynamicObject(of: notes.classDescription)
      try note.set("text", to: .text("child"))
      try notes.insert(note)
      print("inserted")
      return 0
    } catch let error as VaultError {
      print(error.code)
      return 70
    } catch {
      print(error)
      return 71
    }
  },
  // PATH SEED COUNT: performs COUNT random insertions, changes and removals of photos with a few
  // pictures. Some of the transactions are rolled back.
  "vault-history": { arguments in
    answer {
      var configuration = VaultConfiguration()
      configuration.busyTimeout = .seconds(120)
      configuration.author = arguments[1]
      let vault = try Vault(
        at: arguments[0], key: .ofTests, configuration: configuration)
      let ledgers = try vault.store(named: "Ledger")
      for _ in 0..<(Int(arguments[2]) ?? 0) {
        var ledger = try DynamicObject(of: ledgers.classDescription)
        try ledger.set("name", to: .text(arguments[1]))
        try ledger.set("age", to: .integer(1))
        try ledgers.insert(ledger)
      }
      return "recorded"
    }
  },
  "vault-share": { arguments in
    answer {
      var configuration = VaultConfiguration()
      configuration.busyTimeout = .seconds(120)
      let vault = try Vault(
        at: arguments[0], key: .ofTests, configuration: configuration)
      let photos = try vault.store(named: "Photo")
      var state = UInt64(arguments[1]) ?? 0
      func next(_ bound: UInt64) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % bound)
      }
      func picture() -> StoredValue {
        .blob([UInt8](repeating: UInt8(next(4) + 1), count: 2000))
      }
      func insert() throws {
        var photo = try DynamicObject(of: photos.classDescription)
        try photo.set("name", to: .text("child"))
        try photo.set("picture", to: picture())
        try photos.insert(photo)
      }
      struct Stop: Error {}
      for _ in 0..<(Int(arguments[2]) ?? 0) {
        let some = photos.where("picture == %@", picture()).range(length: 2)
        switch next(6) {
        case 0: try some.range(length: 1).remove()
        case 1: try some.update(set: ["picture": picture()])
        case 2:
          do {
            try vault.transaction {
              try insert()
              try some.remove()
              throw Stop()
            }
          } catch is Stop {}
        default: try insert()
        }
      }
      return "shared"
    }
  },
]
