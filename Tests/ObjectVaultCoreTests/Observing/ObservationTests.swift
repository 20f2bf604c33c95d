import Foundation
import ObjectVaultCore
import Synchronization
import Testing
import TestSupport

@testable import ObjectVaultStores

@Suite struct ObservationTests {
  let test: TestVault
  let people: ObjectStore<Person>

  init() throws {
    test = try TestVault()
    people = try test.vault.store(of: Person.self)
  }

  private func names(_ lists: [[Person]]) -> [[String]] { lists.map { $0.map(\.name) } }

  @Test("The first result comes at once, and each further one after a commit that changed it")
  func results() async throws {
    try await people.insert(Person(name: "Li", age: 20))
    var results = people.where("age >= 18").sorted(by: "name").observe().makeAsyncIterator()
    #expect(try await results.next()?.map(\.name) == ["Li"])
    var bo = try await people.insert(Person(name: "Bo", age: 30))
    #expect(try await results.next()?.map(\.name) == ["Bo", "Li"])
    bo.age = 3
    try await people.update(bo)
    #expect(try await results.next()?.map(\.name) == ["Li"])
    try await people.remove(bo)
    try await onOwnThread { try people.where("name == 'Li'").remove() }
    #expect(try await results.next()?.map(\.name) == [])
  }

  @Test("A result that equals the one before does not come, whatever was written")
  func equalResults() async throws {
    let li = try await people.insert(Person(name: "Li", age: 20))
    let seen = Deliveries(people.where("age >= 18").observe())
    _ = try await seen.first(1)
    // Observes the same table, and all of it: whatever it was given, the other could have been too.
    let all = Deliveries(people.observe())
    _ = try await all.first(1)
    for age in 1...5 {
      try await people.update(li)
      try await people.insert(Person(name: "child", age: age))
      #expect(try await all.first(age + 1).last?.count == age + 1)
    }
    try await people.insert(Person(name: "Bo", age: 18))
    #expect(try await names(seen.first(2)) == [["Li"], ["Li", "Bo"]])
  }

  @Test("What a condition or an order asks for behind associations changes a result")
  func associations() async throws {
    let rooms = try await test.vault.store(of: Classroom.self)
    let pupils = try await test.vault.store(of: Pupil.self)
    try await rooms.insert(contentsOf: [Classroom("a", floor: 1), Classroom("b", floor: 2)])
    try await pupils.insert(contentsOf: [Pupil("Li", in: "a"), Pupil("Bo", in: "b")])
    let high = Deliveries(pupils.where("classroom.floor >= 2").observe())
    let sorted = Deliveries(pupils.sorted(by: "classroom.floor").observe())
    #expect(try await high.first(1).map { $0.map(\.name) } == [["Bo"]])
    #expect(try await sorted.first(1).map { $0.map(\.name) } == [["Li", "Bo"]])
    try await rooms.update(Classroom("a", floor: 3))
    #expect(try await high.first(2)[1].map(\.name) == ["Li", "Bo"])
    #expect(try await sorted.first(2)[1].map(\.name) == ["Bo", "Li"])
    // The table at the end is written, and nothing that is asked for: a later change comes alone.
    try await rooms.insert(Classroom("c", floor: 0))
    try await pupils.insert(Pupil("Ed", in: "c"))
    #expect(try await sorted.first(3)[2].map(\.name) == ["Ed", "Bo", "Li"])
  }

  @Test("A change of owned objects, on any level, is one of their owner")
  func ownedObjects() async throws {
    let grades = try await test.vault.store(of: GradeLevel.self)
    let humans = try await test.vault.store(of: Human.self)
    try await grades.insert(GradeLevel("1", classes: [SchoolClass("1a", pupils: [Human("Li")])]))
    try await grades.insert(GradeLevel("2", classes: []))
    let changes = Deliveries(grades.observeChanges())
    let plain = Deliveries(grades.withoutOwned().observe())
    #expect(try await changes.first(1)[0].inserted.map(\.id) == ["1", "2"])
    _ = try await plain.first(1)
    var li = try await #require(try humans.first())
    li.name = "Lee"
    try await humans.update(li)
    let change = try await changes.first(2)[1]
    #expect(change.changed.map(\.id) == ["1"])
    #expect(change.objects[0].classes?[0].pupils?[0].name == "Lee")
    #expect(change.inserted.isEmpty && change.removed.isEmpty && change.moved.isEmpty)
    // Who does not load them does not depend on them.
    try await grades.insert(GradeLevel("3"))
    #expect(try await plain.first(2).map(\.count) == [2, 3])
  }

  @Test("One object is observed by its ID: before it is there, while it changes, and when it goes")
  func oneObject() async throws {
    let items = try await test.vault.store(of: Item.self)
    var results = items.observe(id: "a").makeAsyncIterator()
    #expect(try await results.next() == .some(nil))
    try await items.insert(Item("a", price: 1))
    #expect(try await results.next() == Item("a", price: 1))
    try await items.update(Item("a", price: 2))
    #expect(try await results.next() == Item("a", price: 2))
    try await items.insert(Item("b", price: 2))
    try await onOwnThread { try items.remove(id: "a") }
    #expect(try await results.next() == .some(nil))
  }

  @Test("A count is observed: it comes when the number changes")
  func counts() async throws {
    let counts = Deliveries(people.where("age > 5").observeCount())
    let all = Deliveries(people.observe())
    #expect(try await counts.first(1) == [0])
    _ = try await all.first(1)
    try await people.insert(Person(name: "Li", age: 5))
    _ = try await all.first(2)
    try await people.insert(contentsOf: (6...9).map { Person(name: "\($0)", age: $0) })
    #expect(try await counts.first(2) == [0, 4])
  }

  @Test("A range of a query is observed as it is: what slides into it comes")
  func ranges() async throws {
    try await people.insert(contentsOf: (1...5).map { Person(name: "\($0)", age: $0) })
    var results = people.sorted(by: "age").range(offset: 1, length: 2).observeChanges()
      .makeAsyncIterator()
    #expect(try await results.next()?.objects.map(\.name) == ["2", "3"])
    try await onOwnThread { try people.where("age == 1").remove() }
    let change = try #require(try await results.next())
    #expect(change.objects.map(\.name) == ["3", "4"])
    #expect(change.removed.map(\.position) == [0])
    #expect(change.inserted.map(\.position) == [1])
    #expect(change.moved.isEmpty)
  }

  @Test("A search is observed: what its words find comes, and what they no longer find goes")
  func searches() async throws {
    let pages = try await test.vault.store(of: SeaPage.self)
    try await pages.insert(contentsOf: SeaPage.samples)
    let seen = Deliveries(pages.search("whale").observe())
    #expect(try await seen.first(1).map { $0.map(\.number) } == [[2]])
    try await pages.insert(SeaPage("Song of a whale", number: 6))
    #expect(try await seen.first(2)[1].map(\.number) == [2, 6])
    try await onOwnThread { try pages.where("number == 2").update(set: ["body": "A book"]) }
    #expect(try await seen.first(3)[2].map(\.number) == [6])
  }

  @Test("A view that is defined again is observed with the tables that it reads now")
  func redefinedViews() async throws {
    let vault = test.vault
    try await people.insert(contentsOf: [Person(name: "Li"), Person(name: "Bo")])
    try await onOwnThread {
      try vault.execute([
        "CREATE TABLE a (id)", "INSERT INTO a SELECT objectID FROM Person WHERE name = 'Li'",
        "CREATE TABLE b (id)", "INSERT INTO b SELECT objectID FROM Person WHERE name = 'Bo'",
        "CREATE VIEW chosen AS SELECT id FROM a",
      ])
    }
    let seen = Deliveries(people.where(sql: "objectID IN (SELECT id FROM chosen)").observe())
    #expect(try await names(seen.first(1)) == [["Li"]])
    try await onOwnThread {
      try vault.execute(["DROP VIEW chosen", "CREATE VIEW chosen AS SELECT id FROM b"])
    }
    #expect(try await names(seen.first(2)) == [["Li"], ["Bo"]])
    try await onOwnThread {
      try vault.execute("INSERT INTO b SELECT objectID FROM Person WHERE name = 'Li'")
    }
    #expect(try await names(seen.first(3)) == [["Li"], ["Bo"], ["Li", "Bo"]])
  }

  // MARK: Transactions

  @Test("Nothing comes of a transaction before its commit, then all of it at once")
  func transactions() async throws {
    let seen = Deliveries(people.observe())
    _ = try await seen.first(1)
    try await test.vault.transaction {
      for name in ["a", "b", "c"] { try people.insert(Person(name: name)) }
      #expect(seen.elements.count == 1)
    }
    #expect(try await names(seen.first(2)) == [[], ["a", "b", "c"]])
  }

  @Test("The tables of work that was rolled back are not looked at, those of other work are")
  func rollback() throws {
    let items = try test.vault.store(of: Item.self)
    let tickets = try test.vault.store(of: Ticket.self)
    let file = try test.vault.file()
    let observer = Observer()
    _ = observer.nextTurn()
    observer.endLook(dependingOn: ["person", "item"])
    let id = file.observers.add(observer)
    defer { file.observers.remove(id) }
    func undone(_ body: () throws -> Void) throws {
      do {
        try test.vault.transaction {
          try body()
          throw OnPurpose()
        }
      } catch is OnPurpose {}
    }
    let cases: [(what: String, isTold: Bool, work: () throws -> Void)] = [
      ("a write of one of its tables", true, { try people.insert(Person(name: "a")) }),
      ("nothing", false, {}),
      ("a write of another table", false, { try tickets.insert(Ticket(title: "c")) }),
      ("a transaction undone", false, { try undone { try people.insert(Person(name: "b")) } }),
      (
        "a savepoint undone in one that is kept", false,
        {
          try test.vault.transaction {
            try undone { try people.insert(Person(name: "b")) }
            try tickets.insert(Ticket(title: "kept"))
          }
        }
      ),
      (
        "a savepoint kept in one that is undone", false,
        {
          try test.vault.transaction {
            try undone { try test.vault.transaction { _ = try people.insert(Person(name: "b")) } }
          }
        }
      ),
      (
        "a write before a savepoint that is undone", true,
        {
          try test.vault.transaction {
            try items.insert(Item("kept"))
            try undone { try people.insert(Person(name: "b")) }
          }
        }
      ),
      (
        "a savepoint kept beside one that is undone", true,
        {
          try test.vault.transaction {
            try test.vault.transaction { try people.insert(Person(name: "kept")) }
            try undone { try people.insert(Person(name: "b")) }
          }
        }
      ),
      (
        "a write again after it was undone", true,
        {
          try test.vault.transaction {
            try undone { try people.insert(Person(name: "b")) }
            try people.insert(Person(name: "kept"))
          }
        }
      ),
    ]
    for (what, isTold, work) in cases {
      try work()
      file.observers.waitUntilTold()
      var wasTold = false
      if case .look = observer.nextTurn() {
        wasTold = true
        observer.endLook(dependingOn: ["person", "item"])
      }
      #expect(wasTold == isTold, "\(what)")
    }
  }

  // MARK: Slow ones

  @Test("Who is slow gets the last state alone, and never misses it", .covers("X6", "D12"))
  func slow() async throws {
    var results = people.observe().makeAsyncIterator()
    #expect(try await results.next()?.count == 0)
    for age in 0..<50 { try await people.insert(Person(name: "p", age: age)) }
    #expect(try await results.next()?.count == 50)
    try await onOwnThread { try people.removeAll() }
    #expect(try await results.next()?.count == 0)
  }

  @Test("A commit while a result is read is not missed")
  func duringLook() async throws {
    // Each result has the next object inserted while it is read.
    let store = people
    let wrote = Mutex(0)
    let observed = Observed<Int>(database: test.vault) {
      { reads in
        reads.note(table: "Person")
        let count = try store.count()
        if count < 10 {
          try store.insert(Person(name: "\(count)"))
          wrote.withLock { $0 += 1 }
        }
        return count
      }
    }
    let seen = Deliveries(ObservationSequence(observed: observed))
    try await seen.wait { $0 == 10 }
    #expect(wrote.withLock { $0 } == 10)
  }

  // MARK: Ends

  @Test("An iteration that is left observes no more, whether it ended, was broken off or cancelled")
  func leaving() async throws {
    let vault = test.vault
    #expect(try vault.observerCount == 0)
    for try await _ in people.observe() {
      #expect(try vault.observerCount == 1)
      break
    }
    try await eventually { try vault.observerCount == 0 }
    let seen = Deliveries(people.observe())
    _ = try await seen.first(1)
    #expect(try vault.observerCount == 1)
    seen.cancel()
    #expect(try await seen.end() == nil)
    #expect(try vault.observerCount == 0)
  }

  @Test("A task that was cancelled before reads nothing")
  func cancelledBefore() async throws {
    let people = people
    let task = Task { () -> Int in
      try? await Task.sleep(for: .seconds(3600))
      var count = 0
      for try await _ in people.observe() { count += 1 }
      return count
    }
    task.cancel()
    #expect(try await task.value == 0)
  }

  @Test("Closing the vault ends its observations without an error, another handle's go on")
  func closing() async throws {
    let other = try test.another()
    let otherPeople = try await other.store(of: Person.self)
    let seen = Deliveries(people.observe())
    let others = Deliveries(otherPeople.observe())
    _ = try await (seen.first(1), others.first(1))
    test.vault.close()
    #expect(try await seen.end() == nil)
    try await otherPeople.insert(Person(name: "Li"))
    #expect(try await names(others.first(2)) == [[], ["Li"]])
    // What begins after that is told.
    #expect(try await Deliveries(people.observe()).end() == .closed)
  }

  @Test("Removing the store or the vault ends observations with `.invalidated`")
  func removal() async throws {
    let items = Deliveries(try await test.vault.store(of: Item.self).observe())
    let seen = Deliveries(people.observe())
    _ = try await (items.first(1), seen.first(1))
    try await onOwnThread { try test.vault.removeStore(of: Item.self) }
    #expect(try await items.end() == .invalidated)
    #expect(!seen.isOver)
    let path = test.vault.path
    try await onOwnThread { try Vault.remove(at: path) }
    #expect(try await seen.end() == .invalidated)
    #expect(try await Deliveries(people.observe()).end() == .invalidated)
  }

  @Test("An error of reading ends the observation, and is delivered")
  func errors() async throws {
    let seen = Deliveries(people.observe())
    _ = try await seen.first(1)
    try await people.insert(Person(name: "Li"))
    _ = try await seen.first(2)
    try test.execute("UPDATE Person SET age = 'text'")
    #expect(try await seen.end() == .invalidValue)
    #expect(try test.vault.observerCount == 0)
    var iterator = people.observe().makeAsyncIterator()
    await #expect(throws: VaultError.self) { _ = try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  // MARK: Calls

  @Test("Calls come one after another with the results, until the token is cancelled or released")
  func calls() async throws {
    let seen = Deliveries<[String]>()
    var token: ObservationToken? = people.observe(
      onError: { seen.end($0) }, onChange: { seen.add($0.map(\.name)) })
    #expect(try await seen.first(1) == [[]])
    try await people.insert(Person(name: "a"))
    #expect(try await seen.first(2) == [[], ["a"]])
    token?.cancel()
    let vault = test.vault
    try await eventually { try vault.observerCount == 0 }
    try await people.insert(Person(name: "b"))
    token = people.observe(onError: { seen.end($0) }, onChange: { seen.add($0.map(\.name)) })
    #expect(try await seen.first(3) == [[], ["a"], ["a", "b"]])
    token = nil
    try await eventually { try vault.observerCount == 0 }
    withExtendedLifetime(token) {}
    try await people.insert(Person(name: "c"))
    #expect(seen.elements.count == 3)
    #expect(!seen.isOver)
  }

  @Test("Calls come on the queue that is named, and an observer may write in one", .covers("X6"))
  func queues() async throws {
    let queue = DispatchQueue(label: "test.observer")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let seen = Deliveries<Int>()
    let people = people
    let token = people.query.observeCount(on: queue, onError: { seen.end($0) }) { count in
      guard DispatchQueue.getSpecific(key: key) == true else { return seen.end(OnPurpose()) }
      seen.add(count)
      if count < 3 { _ = try? people.insert(Person(name: "next")) }
    }
    #expect(try await seen.first(4) == [0, 1, 2, 3])
    withExtendedLifetime(token) {}
  }

  @Test("Without a queue, an error comes on the vault's queue, like the results before it")
  func queueOfErrors() async throws {
    let key = DispatchSpecificKey<Bool>()
    try test.vault.file().observers.calling.setSpecific(key: key, value: true)
    let seen = Deliveries<Bool>()
    let token = people.query.observe(
      onError: { _ in seen.add(DispatchQueue.getSpecific(key: key) == true) },
      onChange: { _ in seen.add(DispatchQueue.getSpecific(key: key) == true) })
    #expect(try await seen.first(1) == [true])
    try await people.insert(Person(name: "Li"))
    #expect(try await seen.first(2) == [true, true])
    try test.execute("UPDATE Person SET age = 'text'")
    #expect(try await seen.first(3) == [true, true, true])
    withExtendedLifetime(token) {}
  }

  @Test("Changes, one object and errors come by calls too")
  func otherCalls() async throws {
    let changes = Deliveries<[String]>()
    let objects = Deliveries<Item?>()
    let items = try await test.vault.store(of: Item.self)
    let tokens = [
      items.query.observeChanges(onError: { changes.end($0) }) {
        changes.add($0.inserted.map(\.id))
      },
      items.observe(id: "a", onError: { objects.end($0) }, onChange: { objects.add($0) }),
    ]
    _ = try await (changes.first(1), objects.first(1))
    try await items.insert(Item("a"))
    #expect(try await changes.first(2) == [[], ["a"]])
    #expect(try await objects.first(2) == [nil, Item("a")])
    try await onOwnThread { try test.vault.removeStore(of: Item.self) }
    #expect(try await changes.end() == .invalidated)
    #expect(try await objects.end() == .invalidated)
    withExtendedLifetime(tokens) {}
  }
}
