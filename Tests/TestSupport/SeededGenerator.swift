import Foundation

/// A random number generator that a printed seed can repeat (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
  /// The initial seed.
  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// Creates a generator with the seed in `OBJECTVAULT_SEED`, or with a new seed, and prints the
  /// seed.
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

  /// Returns a random element of an array, which must not be empty.
  package mutating func pick<T>(_ elements: [T]) -> T {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  /// Returns `true` with a probability of one in `count`.
  package mutating func oneIn(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &self) == 0
  }
}

/// Whether random tests run all of their rounds, as with `Scripts/check --full`.
package let runsAllRounds = ProcessInfo.processInfo.environment["OBJECTVAULT_ALL_ROUNDS"] != nil

/// Returns the number of rounds of a random test.
///
/// Each run has new random numbers, so a third of the rounds is enough for one commit.
///
/// - Parameter all: The number of all rounds.
/// - Returns: `all`, or a third of it.
package func randomRounds(_ all: Int) -> Int { runsAllRounds ? all : all / 3 }
