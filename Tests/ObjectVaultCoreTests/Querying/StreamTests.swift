import Foundation
import ObjectVaultCore
import Synchronization
import TestSupport
import Testing

/// An object that counts how many of its like are in memory.
private final class Counted: StoredObject, Sendable {
  static let alive = Atomic<Int>(0)
  static let most = Atomic<Int>(0)

  let number: Int

  init(_ number: Int) {
    self.number = number
    let now = Self.alive.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
    _ = Self.most.max(now, ordering: .sequentiallyConsistent)
  }

  deinit { Self.alive.wrappingSubtract(1, ordering: .sequentiallyConsistent) }

  static let classDescription = ClassDescription(
    "Counted", properties: [PropertyDescription("number", Int.self)], objectID: ["number"])

  convenience init(row: Row) throws { self.init(try row.value(at: 0)) }

  func encode(into binder: Binder) throws { try binder.bind(number, at: 0) }

  var storedObjectID: Int? { number }
}

@Suite("Streams of objects") struct StreamTests {
  private let test: TestVault
  private let people: ObjectStore<Person>

  init() throws {
    test = try TestVault()
    people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: (1...300).map { Person(name: "n\($0)", age: $0) })
  }

  @Test(
    "all objects come once, in order, whatever the size of the batches",
    arguments: [1, 7, 300, 999, .max])
  func everyObject(batchSize: Int) async throws {
    var ages: [Int] = []
    let query = people.where("age > 10").sorted(by: .descending("age"))
    for try await person in try query.stream(batchSize: batchSize) { ages.append(person.age) }
    #expect(ages == (11...300).reversed())
    ages = []
    for try await person in people.objects { ages.append(person.age) }
    #expect(ages == Array(1...300))
    #expect(code { _ = try query.stream(batchSize: 0) } == .invalidArgument)
  }

  @Test("memory holds one batch, and nothing is read before what was read is taken")
  func oneBatch() async throws {
    let store = try await test.vault.store(of: Counted.self)
    try await store.insert(contentsOf: (1...2000).lazy.map { Counted($0) })
    #expect(Counted.alive.load(ordering: .sequentiallyConsistent) == 0)
    Counted.most.store(0, ordering: .sequentiallyConsistent)
    var sum = 0
    for try await object in try store.query.stream(batchSize: 20) { sum += object.number }
    #expect(sum == 2_001_000)
    #expect(Counted.most.load(ordering: .sequentiallyConsistent) <= 22)
    #expect(Counted.alive.load(ordering: .sequentiallyConsistent) == 0)
    Counted.most.store(0, ordering: .sequentiallyConsistent)
    try Self.pass(over: store)
    #expect(Counted.most.load(ordering: .sequentiallyConsistent) <= 2)
  }

  private static func pass(over store: ObjectStore<Counted>) throws {
    var sum = 0
    try store.query.forEach { sum += $0.number }
    let cursor = try store.query.cursor()
    while let object = try cursor.next() { sum -= object.number }
    #expect(sum == 0)
  }

  @Test("the objects are those of the moment the first was asked for")
  func snapshot() async throws {
    var count = 0
    for try await person in try people.query.stream(batchSize: 10) {
      if count == 0 { try await onOwnThread { try people.query.remove() } }
      #expect(person.age == count + 1)
      count += 1
    }
    #expect(count == 300)
    #expect(try await people.count() == 0)
  }

  @Test("more iterations than reading connections go on side by side")
  func sideBySide() async throws {
    var iterators = try (0..<10).map { _ in
      try people.query.stream(batchSize: 3).makeAsyncIterator()
    }
    for round in 1...300 {
      for index in iterators.indices { #expect(try await iterators[index].next()?.age == round) }
    }
    for index in iterators.indices { #expect(try await iterators[index].next() == nil) }
  }

  @Test("an iteration given up half-way lets the connection go")
  func givenUp() async throws {
    for try await _ in people.objects { break }
    // What needs the file alone waits for every reader.
    try await test.vault.rekey(to: .passphrase("another"))
    #expect(try await people.count() == 300)
  }

  @Test("cancelling the task ends the reading with an error, and it stays ended")
  func cancellation() async throws {
    let (started, cancelled) = (Meeting(), Meeting())
    let people = people
    let task = Task { () -> (Int, VaultError.Code?) in
      var iterator = try people.query.stream(batchSize: 50).makeAsyncIterator()
      var count = 0
      do {
        while try await iterator.next() != nil {
          count += 1
          if count == 60 {
            started.reach()
            try await cancelled.reached()
          }
        }
      } catch let error as VaultError {
        #expect(try await iterator.next() == nil)
        return (count, error.code)
      }
      return (count, nil)
    }
    try await started.reached()
    task.cancel()
    cancelled.reach()
    let (count, error) = try await task.value
    #expect(count == 60 && error == .cancelled)
    #expect(try await people.count() == 300)
  }

  @Test("inside a transaction, and after the vault is closed, the error says so")
  func refusals() async throws {
    let people = people
    let error = try await test.vault.transaction {
      Task { () -> VaultError.Code? in
        do {
          for try await _ in people.objects {}
          return nil
        } catch let error as VaultError { return error.code }
      }
    }
    // The task may run before the transaction is over or after.
    let code = try await error.value
    #expect(code == nil || code == .asyncInTransaction)
    var iterator = try people.query.stream(batchSize: 2).makeAsyncIterator()
    #expect(try await iterator.next() != nil)
    test.vault.close()
    #expect(try await iterator.next() != nil)
    await #expect(throws: VaultError.self) { _ = try await people.objects.first { _ in true } }
  }

  #if os(Linux)
    // OBJECTVAULT_STREAM_ROWS=1000000 streams as many; a note takes about 1 KiB.
    @Test("memory grows by no more than the page cache and 32 MiB, however many objects there are")
    func memory() throws {
      let count = ProcessInfo.processInfo.environment["OBJECTVAULT_STREAM_ROWS"].flatMap(Int.init)
      let notes = try Notes()
      let text = String(repeating: "0123456789", count: 100)
      let total = count ?? 60_000
      try notes.store.insert(contentsOf: (0..<total).lazy.map { _ in Note(text) })
      notes.vault.close()
      let child = try ChildProcess.run("stream", notes.vault.path)
      let numbers = child.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
      #expect(child.status == 0 && numbers.first == total, "\(child.output) \(child.errors)")
      let cache = VaultConfiguration().readerCache.bytes >> 20
      #expect(numbers.last ?? .max < (cache + 32) * 1024, "\(child.output)")
    }
  #endif
}
