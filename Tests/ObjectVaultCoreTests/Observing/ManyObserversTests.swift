import Dispatch
import ObjectVaultCore
import ObjectVaultStores
import Testing
import TestSupport

@Suite struct ManyObserversTests {
  @Test("A thousand observers of ten thousand commits: each sees the last state, none a backlog")
  func many() async throws {
    var configuration = VaultConfiguration()
    configuration.observationInterval = .seconds(3600)
    let test = try TestVault(configuration)
    let items = try await test.vault.store(of: Item.self)
    let people = try await test.vault.store(of: Person.self)
    let inserted = try await people.insert(Person(name: "Li"))
    let watched = try await items.insert(Item("watched"))
    let counts = (0..<500).map { _ in Deliveries(items.observeCount()) }
    let calls = (0..<500).map { _ in Deliveries<Item?>() }
    let tokens = calls.map { seen in
      items.observe(id: "watched", onError: { seen.end($0) }, onChange: { seen.add($0) })
    }
    for seen in counts { _ = try await seen.first(1) }
    for seen in calls { _ = try await seen.first(1) }
    #expect(try test.vault.observerCount == 1000)
    let commits = 10_000
    try await onOwnThread { [people] in
      var li = inserted
      for number in 1...commits {
        if number % 100 == 0 {
          try items.update(Item("watched", price: Double(number)))
        } else {
          li.age = number
          try people.update(li)
        }
      }
      try items.insert(Item("last"))
    }
    for seen in counts { try await seen.wait { $0 == 2 } }
    for seen in calls { try await seen.wait { $0?.price == Double(commits) } }
    // The number changed once; a state that was overtaken was not kept for anybody.
    #expect(counts.allSatisfy { $0.elements == [1, 2] })
    #expect(calls.allSatisfy { $0.elements.count <= 2 + commits / 100 })
    #expect(calls.allSatisfy { $0.errorCode == nil })
    let file = try test.vault.file()
    #expect(file.observers.untoldTables <= 4)
    withExtendedLifetime((tokens, watched)) {}
  }

  #if os(Linux)
    @Test("Memory does not grow with the commits that a thousand observers have not looked at")
    func memory() throws {
      let notes = try Notes()
      try notes.store.insert(Note("first"))
      notes.vault.close()
      let child = try ChildProcess.run("observe", notes.vault.path, "10000")
      let words = child.output.split(whereSeparator: \.isWhitespace)
      #expect(child.status == 0 && words.first == "10000", "\(child.output) \(child.errors)")
      // All states together are 40 MB for each observer.
      let growth = words.last.flatMap { Int($0) } ?? .max
      #expect(growth < 16 * 1024, "\(child.output)")
    }
  #endif

  @Test("A writer does not wait for an observer that hangs, nor do other observers")
  func hanging() async throws {
    let test = try TestVault()
    let people = try await test.vault.store(of: Person.self)
    let entered = Meeting()
    let leave = Meeting()
    let seen = Deliveries<Int>()
    let own = DispatchQueue(label: "test.hanging")
    let token = people.query.observeCount(on: own, onError: { seen.end($0) }) { count in
      seen.add(count)
      if count == 0 {
        entered.reach()
        try? leave.wait()
      }
    }
    try await entered.reached()
    let other = Deliveries(people.observeCount())
    #expect(try await other.first(1) == [0])
    for number in 1...100 { try await people.insert(Person(name: "\(number)")) }
    try await other.wait { $0 == 100 }
    #expect(seen.elements == [0])
    leave.reach()
    // The last state, and nothing of what came before.
    #expect(try await seen.first(2) == [0, 100])
    withExtendedLifetime(token) {}
  }
}
