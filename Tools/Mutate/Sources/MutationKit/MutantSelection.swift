/// Chooses mutants at random so that the same seed gives the same choice.
public enum MutantSelection {
  /// Returns up to `count` mutants, none inside another and at most a third of one kind.
  ///
  /// - Parameters:
  ///   - candidates: The mutants to choose from.
  ///   - count: The number wanted.
  ///   - seed: The start of the pseudo-random sequence.
  /// - Returns: The chosen mutants, in random order.
  public static func choose(from candidates: [Mutant], count: Int, seed: UInt64) -> [Mutant] {
    var generator = SplitMix64(state: seed)
    var chosen: [Mutant] = []
    var ranges: [String: [Range<Int>]] = [:]
    var kinds: [Mutant.Kind: Int] = [:]
    for mutant in candidates.shuffled(using: &generator) {
      guard chosen.count < count else { break }
      guard kinds[mutant.kind, default: 0] < max(1, count / 3),
        !ranges[mutant.file, default: []].contains(where: { $0.overlaps(mutant.range) })
      else { continue }
      chosen.append(mutant)
      ranges[mutant.file, default: []].append(mutant.range)
      kinds[mutant.kind, default: 0] += 1
    }
    return chosen
  }
}

/// The SplitMix64 generator (Steele, Lea and Flood, 2014): small, and the same on every system.
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
