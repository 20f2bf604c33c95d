import Foundation
import ObjectVaultCondition

extension PredicateExpressions.Arithmetic: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    let asked: ArithmeticOperator =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default: throw PredicateWalk.unsupported("A new kind of calculation")
      }
    return try walk.calculate(lhs, asked, rhs)
  }
}

extension PredicateExpressions.IntDivision: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    try walk.calculate(lhs, .divide, rhs)
  }
}

extension PredicateExpressions.IntRemainder: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    try walk.calculate(lhs, .remainder, rhs)
  }
}

extension PredicateExpressions.UnaryMinus: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    switch try walk.term(wrapped) {
    case .operand(let operand): return .operand(operand.negated)
    case .value(let value as Wrapped.Output): return .value(-value)
    default: throw PredicateWalk.unsupported("The negation of a part that is not a number")
    }
  }
}

extension PredicateExpressions.FloatDivision: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    try walk.calculate(lhs, .divide, rhs)
  }
}

extension PredicateWalk {
  fileprivate mutating func calculate(
    _ left: Any, _ op: ArithmeticOperator, _ right: Any
  ) throws -> PredicateTerm {
    switch (try term(left), try term(right)) {
    case (.operand(let a), .operand(let b)): return .operand(a.calculated(op, with: b))
    case (.operand(let a), .value(let value)): return .operand(a.calculated(op, value: value))
    case (.value(let value), .operand(let b)):
      return .operand(ConditionOperand(value: value).calculated(op, with: b))
    default: throw Self.unsupported("A calculation without a property")
    }
  }
}
