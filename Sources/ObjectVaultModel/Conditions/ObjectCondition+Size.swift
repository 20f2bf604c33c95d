import ObjectVaultCondition
package import ObjectVaultDriver

extension ObjectCondition {
  /// The size of a condition tree.
  ///
  /// It is computed before the tree is built, so that no tree is too deep to traverse. Conditions
  /// from text have the same limits.
  package struct Size: Sendable {
    /// The nesting depth of conditions.
    private(set) var depth = 0
    private(set) var comparisons = 1

    /// Creates the size of one comparison.
    init() {}

    init(of tree: Condition) { (depth, comparisons) = (tree.depth, tree.comparisonCount) }

    /// Creates the size of a condition that wraps another one.
    init(around other: Size) { (depth, comparisons) = (other.depth + 1, other.comparisons) }

    /// Creates the size of joined conditions.
    ///
    /// - Parameter parts: The sizes of the conditions, and whether the terms of each are merged
    ///   into the result.
    init(joining parts: [(Size, isFlattened: Bool)]) {
      comparisons = parts.reduce(0) { $0 + $1.0.comparisons }
      if parts.count == 1 {
        depth = parts[0].0.depth
      } else {
        depth = 1 + (parts.map { $0.depth - ($1 ? 1 : 0) }.max() ?? -1)
      }
    }

    /// The error for a condition that exceeds the limits, or `nil`.
    var excess: VaultError? { .excess(depth: depth, comparisons: comparisons) }
  }
}

extension VaultError {
  /// Returns the error for a condition that is too deep or has too many comparisons, or `nil`.
  package static func excess(depth: Int, comparisons: Int) -> VaultError? {
    if depth > Condition.maximumDepth {
      return VaultError(
        .invalidCondition,
        "The combined conditions are nested more than \(Condition.maximumDepth) levels deep. Join "
          + "many conditions with one AND or one OR, not with both alternately.")
    }
    if comparisons > Condition.maximumComparisons {
      return VaultError(
        .invalidCondition,
        "The combined condition has more than \(Condition.maximumComparisons) comparisons. Query "
          + "one of many values with a list.")
    }
    return nil
  }
}
