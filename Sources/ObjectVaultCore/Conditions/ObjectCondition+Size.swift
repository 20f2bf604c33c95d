import ObjectVaultCondition

extension ObjectCondition {
  /// How large a condition's tree is. It is known before the tree is made, so that none comes to be that
  /// could not be walked: texts are bounded alike.
  struct Size: Sendable {
    /// How deep conditions stand in one another.
    private(set) var depth = 0
    private(set) var comparisons = 1

    /// That of one comparison.
    init() {}

    init(of tree: Condition) { (depth, comparisons) = (tree.depth, tree.comparisonCount) }

    /// That of a condition around one of another size.
    init(around other: Size) { (depth, comparisons) = (other.depth + 1, other.comparisons) }

    /// That of conditions joined.
    ///
    /// - Parameter parts: Their sizes, and whether their own terms are joined in their place.
    init(joining parts: [(Size, isFlattened: Bool)]) {
      comparisons = parts.reduce(0) { $0 + $1.0.comparisons }
      if parts.count == 1 {
        depth = parts[0].0.depth
      } else {
        depth = 1 + (parts.map { $0.depth - ($1 ? 1 : 0) }.max() ?? -1)
      }
    }

    /// Why no condition may be so large; `nil` where it may.
    var excess: VaultError? { .excess(depth: depth, comparisons: comparisons) }
  }
}

extension VaultError {
  /// Why a condition that is so deep and has so many comparisons cannot be asked; `nil` where it can.
  static func excess(depth: Int, comparisons: Int) -> VaultError? {
    if depth > Condition.maximumDepth {
      return VaultError(
        .invalidCondition,
        "The conditions put together are nested more than \(Condition.maximumDepth) deep. Join "
          + "many by one AND or one OR, not by both in turn.")
    }
    if comparisons > Condition.maximumComparisons {
      return VaultError(
        .invalidCondition,
        "The conditions put together are more than \(Condition.maximumComparisons). Ask for one of "
          + "many values by a list.")
    }
    return nil
  }
}
