#if canImport(Observation)
  import Dispatch
  import Observation
  import Synchronization
  import TestSupport
  import Testing

  import ObjectVaultCore

  @MainActor @Suite struct ObservedQueryTests {
    let test: TestVault
    let people: ObjectStore<Person>

    init() throws {
      test = try TestVault()
      people = try test.vault.store(of: Person.self)
    }

    /// Waits until what `read` reads was changed, and gives it as it is then.
    private func change<Value>(of read: () -> Value, until: (Value) -> Bool) async -> Value {
      while !until(read()) {
        await withCheckedContinuation { done in
          let isDone = Mutex(false)
          withObservationTracking {
            _ = read()
          } onChange: {
            if isDone.withLock({ was in
              defer { was = true }; return !was
            }) {
              done.resume()
            }
          }
        }
        // It is told before the change.
        await Task.yield()
      }
      return read()
    }

    @Test("The objects of a query are a property that the Observation framework follows")
    func objects() async throws {
      try await people.insert(Person(name: "Li", age: 20))
      let adults = ObservedQuery(people.where("age >= 18"))
      #expect(adults.objects.isEmpty)
      #expect(!adults.isLoaded)
      #expect(await change(of: { adults.objects }, until: { $0.count == 1 }).map(\.name) == ["Li"])
      #expect(adults.isLoaded)
      try await people.insert(Person(name: "Bo", age: 30))
      #expect(
        await change(of: { adults.objects }, until: { $0.count == 2 }).map(\.name) == ["Li", "Bo"])
      #expect(adults.error == nil)
    }

    private func waitOnce(_ read: DispatchSemaphore) { read.wait() }

    /// Stores people and waits until that was read, while nothing else runs on the main actor.
    private func insertAndWait(_ count: Int, _ read: DispatchSemaphore) throws {
      for _ in 0..<count {
        try people.insert(Person(name: "Li"))
        read.wait()
      }
    }

    @Test("What was read before it was stopped, and comes afterwards, is not shown")
    func stopped() async throws {
      let read = DispatchSemaphore(value: 0)
      let other = people.query.observeCount(
        on: DispatchQueue(label: "test.stopped"), onError: { _ in },
        onChange: { _ in read.signal() })
      waitOnce(read)
      for round in 1...20 {
        let observed = ObservedQuery(people.query)
        _ = await change(of: { observed.isLoaded }, until: { $0 })
        let shown = observed.objects.count
        try insertAndWait(3, read)
        observed.stop()
        try await eventually { [vault = test.vault] in try vault.observerCount == 1 }
        for _ in 0..<10 { await Task.yield() }
        #expect(observed.objects.count == shown, "round \(round)")
        #expect(observed.error == nil)
      }
      withExtendedLifetime(other) {}
    }

    @Test("It observes no more once it is stopped or released, and shows why it cannot go on")
    func ends() async throws {
      let vault = test.vault
      var observed: ObservedQuery? = ObservedQuery(people.query)
      _ = await change(of: { observed?.isLoaded }, until: { $0 == true })
      #expect(try vault.observerCount == 1)
      observed = nil
      try await eventually { try vault.observerCount == 0 }
      let stopped = ObservedQuery(people.query)
      _ = await change(of: { stopped.isLoaded }, until: { $0 })
      stopped.stop()
      try await eventually { try vault.observerCount == 0 }
      #expect(stopped.error == nil)
      let failing = ObservedQuery(people.query)
      _ = await change(of: { failing.isLoaded }, until: { $0 })
      try await onOwnThread { try vault.removeStore(of: Person.self) }
      let error = await change(of: { failing.error }, until: { $0 != nil })
      #expect((error as? VaultError)?.code == .invalidated)
      withExtendedLifetime(observed) {}
    }
  }
#endif
