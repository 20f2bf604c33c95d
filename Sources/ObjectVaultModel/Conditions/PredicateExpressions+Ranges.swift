import Foundation
import ObjectVaultCondition

/// A range with constant bounds.
protocol BoundedRange {
  var predicateRange: PredicateTerm { get }
}

extension ClosedRange: BoundedRange {
  var predicateRange: PredicateTerm {
    .range(lower: .value(lowerBound), upper: .value(upperBound), includesUpper: true)
  }
}

extension Range: BoundedRange {
  var predicateRange: PredicateTerm {
    .range(lower: .value(lowerBound), upper: .value(upperBound), includesUpper: false)
  }
}

extension PartialRangeFrom: BoundedRange {
  var predicateRange: PredicateTerm {
    .range(lower: .value(lowerBound), upper: nil, includesUpper: true)
  }
}

extension PartialRangeThrough: BoundedRange {
  var predicateRange: PredicateTerm {
    .range(lower: nil, upper: .value(upperBound), includesUpper: true)
  }
}

extension PartialRangeUpTo: BoundedRange {
  var predicateRange: PredicateTerm {
    .range(lower: nil, upper: .value(upperBound), includesUpper: false)
  }
}

extension PredicateExpressions.ClosedRange: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    .range(lower: try walk.term(lower), upper: try walk.term(upper), includesUpper: true)
  }
}

extension PredicateExpressions.Range: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    .range(lower: try walk.term(lower), upper: try walk.term(upper), includesUpper: false)
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    guard case .range(let lower, let upper, let includesUpper) = try walk.term(range) else {
      throw PredicateWalk.unsupported("A range of an unknown kind")
    }
    let element = try walk.term(element)
    if case .operand(let operand) = element, case .value(let lowest) = lower,
      case .value(let highest) = upper, includesUpper
    {
      return .condition(operand.between(lowest, highest))
    }
    var conditions: [ObjectCondition] = []
    if let lower { conditions.append(try walk.compare(element, .greaterOrEqual, lower)) }
    if let upper {
      conditions.append(try walk.compare(element, includesUpper ? .lessOrEqual : .less, upper))
    }
    return .condition(.all(of: conditions))
  }
}
