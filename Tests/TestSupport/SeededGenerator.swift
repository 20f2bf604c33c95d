import Foundation

/// Random numbers that a printed seed gives again (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
  /// What it began with: the environment's `OBJECTVAULT_SEED`, or a number of its own.
  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// Begins with `OBJECTVAULT_SEED` where it is set, else with a new seed, and prints it.
  package init(for test: String) {
    let given = ProcessInfo.processInfo.environment["OBJECTVAULT_SEED"].flatMap { UInt64($0) }
    self.init(seed: given ?? UInt64.random(in: 0...UInt64(UInt32.max)))
    print("\(test): OBJECTVAULT_SEED=\(seed)")
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// One of the elements, of which there is at least one.
  package mutating func pick<T>(_ elements: [T]) -> T {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  /// Whether something happens that happens once in `count` times.
  package mutating func oneIn(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &self) == 0
  }
}
