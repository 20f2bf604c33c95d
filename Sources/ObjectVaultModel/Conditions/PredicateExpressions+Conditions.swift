import Foundation
import ObjectVaultCondition

extension PredicateExpressions.Conjunction: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    .condition(try walk.condition(lhs) && walk.condition(rhs))
  }
}

extension PredicateExpressions.Disjunction: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    .condition(try walk.condition(lhs) || walk.condition(rhs))
  }
}

extension PredicateExpressions.Negation: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    .condition(!(try walk.condition(wrapped)))
  }
}

extension PredicateExpressions.Equal: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    try walk.compare(lhs, .equal, rhs)
  }
}

extension PredicateExpressions.NotEqual: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    try walk.compare(lhs, .notEqual, rhs)
  }
}

extension PredicateExpressions.Comparison: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    let asked: ComparisonOperator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw PredicateWalk.unsupported("A new kind of comparison")
      }
    return try walk.compare(lhs, asked, rhs)
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    try walk.search(.beginsWith, base, prefix)
  }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    try walk.search(.contains, base, other)
  }
}

extension PredicateExpressions.SequenceContains: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    let list = try walk.term(sequence)
    guard case .value(let value) = list, PredicateWalk.text(value) == nil,
      let values = value as? any Sequence
    else {
      guard LHS.Output.self == String.self || LHS.Output.self == Substring.self else {
        guard case .operand(let operand) = list, case .value(let value) = try walk.term(element)
        else { throw PredicateWalk.unsupported("'contains' for the elements of a property") }
        return .condition(operand.search(.contains, [], value: value))
      }
      return try walk.search(.contains, sequence, element)
    }
    guard case .operand(let operand) = try walk.term(element) else {
      throw PredicateWalk.unsupported("A list that is not compared with a property")
    }
    return .condition(operand.among(values.map { $0 as Any? }))
  }
}
