extension Condition {
  /// Returns the condition on any, all or none of the objects at the end of a path.
  ///
  /// Paths inside that begin with this path refer to one of these objects. A single comparison of
  /// such an object becomes a comparison with a quantifier, as it is written in text.
  package func quantified(
    _ quantifier: Comparison.Quantifier, over names: [String]
  ) -> Condition {
    switch self {
    case .comparison(var comparison)
    where comparison.quantifier == nil && comparison.left.isProperty(behind: names)
      && !comparison.test.operands.contains { $0.reaches(behind: names) }:
      comparison.quantifier = quantifier
      return .comparison(comparison)
    case .property(let operand) where operand.isProperty(behind: names):
      return .comparison(
        Comparison(
          quantifier: quantifier, operand, .compare(.equal, [], Operand(.literal(.bool(true))))))
    default: return .quantified(quantifier, Operand(.path(PropertyPath(names))), self)
    }
  }
}

extension Operand {
  /// Returns whether the operand is a property of the objects at the end of a path, or these
  /// objects.
  fileprivate func isProperty(behind names: [String]) -> Bool {
    if case .path(let path) = kind { path.aggregate == nil && path.isBehind(names) } else { false }
  }

  /// Returns whether the operand contains a property of these objects.
  fileprivate func reaches(behind names: [String]) -> Bool {
    switch kind {
    case .path(let path): path.isBehind(names)
    case .arithmetic(_, let left, let right):
      left.reaches(behind: names) || right.reaches(behind: names)
    case .cased(_, let operand): operand.reaches(behind: names)
    // Its condition may.
    case .subquery: true
    case .literal, .argument, .namedArgument, .pathArgument, .now: false
    }
  }
}

extension PropertyPath {
  /// Returns whether the path begins with the names.
  func isBehind(_ names: [String]) -> Bool { self.names.starts(with: names) }
}

extension Comparison.Test {
  /// The operands on the right.
  package var operands: [Operand] {
    switch self {
    case .compare(_, _, let right), .text(_, _, let right): [right]
    case .between(.list(let operands)), .among(.list(let operands)): operands
    case .between(.argument(let operand)), .among(.argument(let operand)): [operand]
    }
  }
}
