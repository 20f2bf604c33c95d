extension Condition {
  /// Returns the same condition with argument positions that start at `base`.
  ///
  /// Two conditions with separate arguments can then be combined.
  package func shiftingArguments(by base: Int) -> Condition {
    switch self {
    case .constant: self
    case .and(let terms): .and(terms.map { $0.shiftingArguments(by: base) })
    case .or(let terms): .or(terms.map { $0.shiftingArguments(by: base) })
    case .not(let term): .not(term.shiftingArguments(by: base))
    case .property(let operand): .property(operand.shiftingArguments(by: base))
    case .comparison(let comparison):
      .comparison(
        Comparison(
          quantifier: comparison.quantifier, comparison.left.shiftingArguments(by: base),
          comparison.test.shiftingArguments(by: base)))
    case .quantified(let quantifier, let path, let test):
      .quantified(
        quantifier, path.shiftingArguments(by: base), test.shiftingArguments(by: base))
    }
  }

  /// The number of positional arguments of the condition.
  package var argumentCount: Int {
    switch self {
    case .constant: 0
    case .and(let terms), .or(let terms): terms.map(\.argumentCount).max() ?? 0
    case .not(let term): term.argumentCount
    case .property(let operand): operand.argumentCount
    case .comparison(let comparison):
      max(comparison.left.argumentCount, comparison.test.argumentCount)
    case .quantified(_, let path, let test): max(path.argumentCount, test.argumentCount)
    }
  }
}

extension Comparison.Test {
  fileprivate func shiftingArguments(by base: Int) -> Self {
    switch self {
    case .compare(let op, let options, let right):
      .compare(op, options, right.shiftingArguments(by: base))
    case .text(let op, let options, let right):
      .text(op, options, right.shiftingArguments(by: base))
    case .between(let members): .between(members.shiftingArguments(by: base))
    case .among(let members): .among(members.shiftingArguments(by: base))
    }
  }

  fileprivate var argumentCount: Int {
    switch self {
    case .compare(_, _, let right), .text(_, _, let right): right.argumentCount
    case .between(let members), .among(let members): members.argumentCount
    }
  }
}

extension Members {
  fileprivate func shiftingArguments(by base: Int) -> Self {
    switch self {
    case .list(let operands): .list(operands.map { $0.shiftingArguments(by: base) })
    case .argument(let operand): .argument(operand.shiftingArguments(by: base))
    }
  }

  fileprivate var argumentCount: Int {
    switch self {
    case .list(let operands): operands.map(\.argumentCount).max() ?? 0
    case .argument(let operand): operand.argumentCount
    }
  }
}

extension Operand {
  /// Returns the same operand with argument positions that start at `base`.
  package func shiftingArguments(by base: Int) -> Self {
    switch kind {
    case .argument(let position, let specifier):
      Operand(.argument(position + base, specifier), at: place)
    case .pathArgument(let position): Operand(.pathArgument(position + base), at: place)
    case .arithmetic(let op, let left, let right):
      Operand(
        .arithmetic(op, left.shiftingArguments(by: base), right.shiftingArguments(by: base)),
        at: place)
    case .cased(let textCase, let operand):
      Operand(.cased(textCase, operand.shiftingArguments(by: base)), at: place)
    case .subquery(let path, let test):
      Operand(
        .subquery(path.shiftingArguments(by: base), test.shiftingArguments(by: base)), at: place)
    case .path, .literal, .namedArgument, .now: self
    }
  }

  var argumentCount: Int {
    switch kind {
    case .argument(let position, _), .pathArgument(let position): position + 1
    case .arithmetic(_, let left, let right): max(left.argumentCount, right.argumentCount)
    case .cased(_, let operand): operand.argumentCount
    case .subquery(let path, let test): max(path.argumentCount, test.argumentCount)
    case .path, .literal, .namedArgument, .now: 0
    }
  }

  /// The number of values of a calculation, or 1 for any other operand.
  var valueCount: Int {
    guard case .arithmetic(_, let left, let right) = kind else { return 1 }
    return left.valueCount + right.valueCount
  }

  /// Returns whether calculations are nested more than `limit` deep.
  func isDeeper(than limit: Int) -> Bool {
    guard case .arithmetic(_, let left, let right) = kind else { return false }
    return limit < 1 || left.isDeeper(than: limit - 1) || right.isDeeper(than: limit - 1)
  }
}
