import Foundation
import ObjectVaultCore
import Synchronization
import Testing
import TestSupport

@testable import ObjectVaultStores

/// Read scopes that keep objects: who is given what was read before.
@Suite("Read scopes that keep objects") struct IdentityMapTests {
  private let test: TestVault
  private let vault: Vault
  private let accounts: ObjectStore<Account>

  init() throws {
    test = try TestVault()
    vault = test.vault
    accounts = try vault.store(of: Account.self)
    try accounts.insert(contentsOf: (1...5).map { Account(owner: "\($0)", balance: 10 * $0) })
  }

  /// Whether an account is the same instance when it is asked for again.
  private func isKept(_ id: Int64) throws -> Bool { try accounts.find(id) === accounts.find(id) }

  @Test("give one instance of a class, whichever way it is read", .covers("S66"))
  func oneInstance() throws {
    try vault.read(caching: .objects(100)) {
      let second = try #require(try accounts.find(2))
      #expect(try accounts.find(2) === second)
      #expect(try accounts.find(ids: [1, 2]).last === second)
      #expect(try accounts.all()[1] === second)
      #expect(try accounts.where("owner == '2'").first() === second)
      #expect(try accounts.where("balance <= 20").sorted(by: "balance").all()[1] === second)
      #expect(try accounts.query.page(number: 1, size: 2).items[1] === second)
      var found: [Account] = []
      try accounts.forEach { found.append($0) }
      #expect(found[1] === second)
      let cursor = try accounts.where("owner == '2'").cursor()
      #expect(try cursor.next() === second)
      // What a query read is found, too.
      #expect(try accounts.find(5) === found[4])
      #expect(try accounts.find(6) == nil)
    }
    #expect(try !isKept(2))
    #expect(try !vault.read { try isKept(2) })
  }

  @Test("give nothing that is cached after their task was cancelled")
  func cancelled() async throws {
    let (inside, leave) = (Meeting(), Meeting())
    let code = Mutex<VaultError.Code?>(nil)
    let task = Task { [vault, accounts] in
      try await vault.read(caching: .objects(100)) {
        _ = try accounts.find(2)
        inside.reach()
        try leave.wait()
        do {
          _ = try accounts.find(2)
        } catch let error as VaultError {
          code.withLock { $0 = error.code }
        }
      }
    }
    try await inside.reached()
    task.cancel()
    leave.reach()
    _ = await task.result
    #expect(code.withLock { $0 } == .cancelled)
  }

  @Test("show a change of an instance to all who ask, saved or not, until they end")
  func changes() throws {
    try vault.read(caching: .objects(100)) {
      try accounts.find(3)?.balance = 7
      #expect(try accounts.find(3)?.balance == 7)
      #expect(try accounts.all().map(\.balance) == [10, 20, 7, 40, 50])
    }
    #expect(try accounts.find(3)?.balance == 30)
  }

  @Test("give the value of a struct again without a statement, and read its row once")
  func values() throws {
    let notes = try vault.store(of: Note.self)
    try notes.insert(contentsOf: [Note("a"), Note("b")])
    let decoded = Mutex(0)
    try Note.$onDecode.withValue({ decoded.withLock { $0 += 1 } }) {
      try vault.read(caching: .objects(100)) {
        #expect(try notes.find(1)?.text == "a")
        let reads = ObservedReads()
        try notes.read { connection in
          try connection.observing(reads) {
            var copy = try #require(try notes.find(1))
            copy.text = "changed"
            #expect(try notes.find(1)?.text == "a")
            #expect(try notes.find(Ref<Note>(id: 1))?.text == "a")
            #expect(try notes.find(ids: [1, 1]).map(\.text) == ["a", "a"])
            #expect(reads.tables.isEmpty)
            _ = try notes.find(2)
            #expect(reads.tables == ["note"])
          }
        }
        #expect(try notes.all().map(\.text) == ["a", "b"])
        #expect(decoded.withLock { $0 } == 2)
      }
      #expect(try notes.find(1)?.text == "a")
      #expect(decoded.withLock { $0 } == 3)
    }
  }

  // this thread: finds 1 ................... finds 1 and 2 as begun; after the scope: as they are
  // the other:           updates both
  @Test("see the state they began with, and later ones see what was committed")
  func snapshot() throws {
    let notes = try Notes()
    try notes.store.insert(contentsOf: [Note("a"), Note("b")])
    func found() throws -> [String?] { try [notes.store.find(1)?.text, notes.store.find(2)?.text] }
    try notes.vault.read(caching: .objects(100)) {
      #expect(try notes.store.find(1)?.text == "a")
      try OnThread {
        try notes.store.update(contentsOf: [Note("A", objectID: 1), Note("B", objectID: 2)])
      }.result()
      #expect(try found() == ["a", "b"])
    }
    #expect(try notes.vault.read(caching: .objects(100)) { try found() } == ["A", "B"])
  }

  @Test("go on seeing what was when something is written inside")
  func writes() throws {
    try vault.read(caching: .objects(100)) {
      let first = try #require(try accounts.find(1))
      let changed = Account(owner: "new", balance: 1)
      changed.objectID = 1
      try accounts.update(changed)
      try accounts.remove(id: 2)
      try accounts.insert(Account(owner: "6"))
      #expect(try accounts.find(1) === first)
      #expect(first.owner == "1")
      #expect(try accounts.find(2)?.owner == "2")
      #expect(try accounts.find(6) == nil)
      #expect(try accounts.all().map(\.owner) == ["1", "2", "3", "4", "5"])
    }
    #expect(try accounts.all().map(\.owner) == ["new", "3", "4", "5", "6"])
  }

  @Test("keep nothing inside a transaction, whose reads see what it wrote")
  func transactions() throws {
    try vault.read(caching: .objects(100)) {
      let first = try #require(try accounts.find(1))
      try vault.transaction {
        try accounts.where("objectID == 1").update(set: ["balance": 99])
        let found = try #require(try accounts.find(1))
        #expect(found !== first && found.balance == 99)
        #expect(try !isKept(1))
        #expect(try accounts.all()[0].balance == 99)
        #expect(try !vault.read(caching: .objects(5)) { try isKept(1) })
        _ = try accounts.find(4)
        try accounts.where("objectID == 4").update(set: ["balance": 44])
      }
      #expect(try accounts.find(1) === first)
      #expect(first.balance == 10)
      #expect(try accounts.find(4)?.balance == 40)
    }
    #expect(try accounts.find(1)?.balance == 99)
  }

  @Test("share what they keep with those inside them")
  func nested() throws {
    try vault.read(caching: .objects(100)) {
      let first = try #require(try accounts.find(1))
      #expect(try vault.read { try accounts.find(1) } === first)
      try vault.read(caching: .objects(1)) {
        #expect(try accounts.find(1) === first)
        _ = try accounts.all()
        #expect(try accounts.find(1) === first)
      }
      #expect(try accounts.find(1) === first)
    }
    try vault.read {
      let before = try accounts.find(1)
      let inside = try vault.read(caching: .objects(100)) {
        let found = try accounts.find(1)
        #expect(try accounts.find(1) === found && found !== before)
        return found
      }
      #expect(try accounts.find(1) !== inside)
    }
  }

  @Test("let go of all they keep when one more object comes than the limit allows")
  func limit() throws {
    let items = try vault.store(of: Item.self)
    try items.insert(Item("a"))
    try vault.read(caching: .objects(3)) {
      let first = try #require(try accounts.find(1))
      _ = try (accounts.find(2), items.find("a"))
      #expect(try accounts.find(1) === first)
      let third = try accounts.find(3)
      #expect(try accounts.find(3) === third)
      #expect(try accounts.find(1) !== first)
      #expect(try accounts.all().map(\.owner) == ["1", "2", "3", "4", "5"])
    }
    #expect(try !vault.read(caching: .objects(0)) { try isKept(1) })
    #expect(code { try vault.read(caching: .objects(-1)) {} } == .invalidArgument)
  }

  @Test("keep objects of all numbers, near one another or far apart")
  func numbers() throws {
    let ids: [Int64] = [40, 41, 39, 1, 900, 60, .max - 1, .min, -3, 42]
    let notes = try vault.store(of: Note.self)
    try notes.insert(contentsOf: ids.map { Note("\($0)", objectID: $0) })
    try vault.read(caching: .objects(100)) {
      for _ in 0..<2 {
        for id in ids {
          #expect(try notes.find(id)?.text == "\(id)")
          #expect(try notes.find(id &+ 100_000) == nil)
        }
      }
      let reads = ObservedReads()
      try notes.read { connection in
        try connection.observing(reads) {
          for id in ids {
            let found = try notes.find(id)
            #expect(found?.text == "\(id)")
          }
        }
      }
      #expect(reads.tables.isEmpty)
    }
  }

  @Test("let go of all they keep when they end, or fail")
  func memory() throws {
    weak var kept: Account?
    try vault.read(caching: .objects(100)) {
      kept = try accounts.find(1)
      #expect(kept != nil)
    }
    #expect(kept == nil)
    #expect(throws: OnPurpose.self) {
      try vault.read(caching: .objects(100)) {
        kept = try accounts.find(1)
        throw OnPurpose()
      }
    }
    #expect(kept == nil)
    #expect(try !isKept(1))
    // An iteration that outlives its scope keeps nothing either.
    let cursor = try vault.read(caching: .objects(100)) {
      kept = try accounts.find(1)
      return try accounts.query.cursor()
    }
    #expect(kept == nil)
    #expect(code { _ = try cursor.next() } == .invalidArgument)
  }

  @Test("are outlived by an iteration in the scope around them")
  func iteration() throws {
    try vault.read {
      let cursor = try vault.read(caching: .objects(100)) { () -> ObjectCursor<Account> in
        let cursor = try accounts.query.cursor()
        _ = try cursor.next()
        return cursor
      }
      var owners: [String] = []
      while let account = try cursor.next() { owners.append(account.owner) }
      #expect(owners == ["2", "3", "4", "5"])
    }
  }

  @Test("keep nothing in memory, where reads see every write")
  func inMemory() throws {
    let vault = try Vault.inMemory()
    let people = try vault.store(of: Person.self)
    try people.insert(Person(name: "Li", age: 7))
    try vault.read(caching: .objects(100)) {
      #expect(try people.find(1)?.age == 7)
      try people.query.update(set: ["age": 8])
      #expect(try people.find(1)?.age == 8)
    }
  }

  @Test("run on a thread of the vault's own, too")
  func asynchronous() async throws {
    let people = try await vault.store(of: Person.self)
    try await people.insert(Person(name: "Li"))
    let decoded = try await vault.read(caching: .objects(100)) {
      let accounts = try vault.store(of: Account.self)
      return try accounts.find(1) === accounts.find(1) && people.find(1)?.name == "Li"
    }
    #expect(decoded)
    await #expect(throws: VaultError.self) { try await vault.read(caching: .objects(-1)) {} }
    let task = Task {
      try await vault.read(caching: .objects(100)) {
        while true { _ = try people.find(1) }
      }
    }
    task.cancel()
    #expect(try await code(of: task) == .cancelled)
  }
}
