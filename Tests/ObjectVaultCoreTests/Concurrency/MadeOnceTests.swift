import Foundation
import ObjectVaultCore
import Synchronization
import Testing

private final class Counted: Sendable {
  static let alive = Atomic<Int>(0)
  init() { Self.alive.add(1, ordering: .relaxed) }
  deinit { Self.alive.subtract(1, ordering: .relaxed) }
}

private final class Owner: Sendable {
  let made = MadeOnce<Counted>()
}

@Suite("What is made when it is first asked for") struct MadeOnceTests {
  @Test("threads that ask at once get the same") func askingAtOnce() {
    for _ in 0..<200 {
      let owner = Owner()
      #expect(owner.made.present == nil)
      let found = Locked<[ObjectIdentifier]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        let object = owner.made.value(orMake: Counted())
        found.withLock { $0.append(ObjectIdentifier(object)) }
      }
      let all = found.withLock { $0 }
      #expect(all.count == 8)
      #expect(Set(all).count == 1)
      #expect(owner.made.present.map(ObjectIdentifier.init) == all.first)
      #expect(Counted.alive.load(ordering: .relaxed) == 1)
    }
    // What was made too often has gone, and what was kept with its owner.
    #expect(Counted.alive.load(ordering: .relaxed) == 0)
  }
}
