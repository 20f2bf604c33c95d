import Foundation
import ObjectVaultCondition

extension PredicateExpressions.Variable: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm { try walk.variable(key) }
}

extension PredicateExpressions.Value: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) -> PredicateTerm {
    switch value as Any {
    case let range as any BoundedRange: range.predicateRange
    default: .value(value)
    }
  }
}

extension PredicateExpressions.NilLiteral: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) -> PredicateTerm { .value(nil) }
}

extension PredicateExpressions.KeyPath: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    switch try walk.term(root) {
    case .object:
      guard let name = walk.names[keyPath] else {
        throw PredicateWalk.unsupported(
          "A key path '\(keyPath)' that does not lead to a stored property")
      }
      return .operand(walk.property(name))
    case .operand(let operand):
      // A reference is stored as the object ID of its object.
      if let reference = Root.Output.self as? any KeyedByID.Type, reference.idPath == keyPath {
        return .operand(operand)
      }
      if keyPath == \String.isEmpty { return .condition(operand.compare(.equal, value: "")) }
      if keyPath == \String.count {
        throw PredicateWalk.unsupported(
          "The number of Characters of a text, unlike its 'length' in Unicode scalars,")
      }
    default: break
    }
    throw PredicateWalk.unsupported("The key path '\(keyPath)' after a property")
  }
}

/// A type that is stored as one of its members, an object ID.
private protocol KeyedByID {
  static var idPath: AnyKeyPath { get }
}

extension Ref: KeyedByID {
  fileprivate static var idPath: AnyKeyPath { \Ref<T>.id }
}

extension PredicateExpressions.OptionalFlatMap: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    let wrapped = try walk.term(self.wrapped)
    walk.bind(variable.key, to: wrapped)
    let transformed = try walk.term(transform)
    guard case .operand(let operand) = wrapped, case .condition(let condition) = transformed else {
      return transformed
    }
    return .optionalCondition(condition, operand)
  }
}

extension PredicateExpressions.ForcedUnwrap: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm { try walk.term(inner) }
}

extension PredicateExpressions.NilCoalesce: TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm {
    let optional = try walk.term(lhs)
    guard case .value(let fallback as Bool) = try walk.term(rhs) else {
      throw PredicateWalk.unsupported("'??' with a value other than true or false")
    }
    return .condition(try walk.condition(optional, orElse: fallback))
  }
}
