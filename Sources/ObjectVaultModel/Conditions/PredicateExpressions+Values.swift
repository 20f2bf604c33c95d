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
    let optionals: [ConditionOperand]
    switch wrapped {
    case .operand(let operand): optionals = [operand]
    case .optionalCondition(_, let operands): optionals = operands
    default: return transformed
    }
    switch transformed {
    case .condition(let condition): return .optionalCondition(condition, optionals)
    case .optionalCondition(let condition, let others):
      return .optionalCondition(condition, optionals + others)
    case .value(let value as Bool): return .optionalCondition(value ? .always : .never, optionals)
    case .operand(let result) where result.failure == nil:
      // Another result would have a value although the optional is nil.
      let paths = result.operand.paths
      guard optionals.allSatisfy({ $0.operand.paths.isSubset(of: paths) }) else {
        throw PredicateWalk.unsupported("'flatMap' with a result from other properties")
      }
      return transformed
    default: return transformed
    }
  }
}

extension Operand {
  /// The properties of a calculation, which is nil if one of them is nil.
  fileprivate var paths: Set<PropertyPath> {
    switch kind {
    case .path(let path): [path]
    case .arithmetic(_, let left, let right): left.paths.union(right.paths)
    default: []
    }
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
