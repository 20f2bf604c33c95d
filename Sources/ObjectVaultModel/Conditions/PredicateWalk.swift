package import Foundation
import ObjectVaultCondition
import ObjectVaultDriver

/// The translation of a part of a `#Predicate`.
indirect enum PredicateTerm {
  /// The queried object.
  case object
  /// A property, or a calculation from properties.
  case operand(ConditionOperand)
  /// A constant value, which can be nil.
  case value(Any?)
  case condition(ObjectCondition)
  /// A condition on the values of optionals, and the optionals.
  case optionalCondition(ObjectCondition, [ConditionOperand])
  /// A range with at least one bound.
  case range(lower: PredicateTerm?, upper: PredicateTerm?, includesUpper: Bool)
}

/// A predicate expression that can be translated into a condition.
protocol TranslatablePredicateExpression {
  func term(in walk: inout PredicateWalk) throws -> PredicateTerm
}

/// A translator from the tree of a `#Predicate` to a condition.
///
/// The expression types are the `PredicateExpressions` of swift-foundation.
package struct PredicateWalk {
  /// The property names by key path.
  let names: [AnyKeyPath: String]
  private var converters: [String: ValueConverter] = [:]
  /// The translated values of closure variables.
  private var variables: [PredicateExpressions.VariableID: PredicateTerm] = [:]
  /// The nesting depth of the current expression.
  private var depth = 0

  package init<T: StoredObject>(_ type: T.Type, object: PredicateExpressions.VariableID) {
    names = T.propertyNames
    for property in T.classDescription.properties {
      converters[property.name] = property.converter
    }
    variables[object] = .object
  }

  mutating func bind(_ variable: PredicateExpressions.VariableID, to term: PredicateTerm) {
    variables[variable] = term
  }

  func variable(_ variable: PredicateExpressions.VariableID) throws -> PredicateTerm {
    guard let term = variables[variable] else { throw Self.unsupported("An unknown variable") }
    return term
  }

  /// Returns the operand for the property with a name.
  func property(_ name: String) -> ConditionOperand {
    ConditionOperand(
      Operand(.path(PropertyPath([name]))),
      form: converters[name].map { .converted($0) } ?? .plain)
  }

  mutating func term(_ expression: Any) throws -> PredicateTerm {
    guard let known = expression as? any TranslatablePredicateExpression else {
      let name = String(describing: type(of: expression)).prefix { $0 != "<" }
      throw Self.unsupported("'\(name)'")
    }
    // Expressions can also be built at run time.
    guard depth < Condition.maximumDepth else {
      throw VaultError(
        .invalidCondition,
        "The #Predicate is nested more than \(Condition.maximumDepth) levels deep. Simplify it.")
    }
    depth += 1
    defer { depth -= 1 }
    return try known.term(in: &self)
  }

  package mutating func condition(_ expression: Any) throws -> ObjectCondition {
    try condition(try term(expression))
  }

  private func condition(_ term: PredicateTerm) throws -> ObjectCondition {
    switch term {
    case .condition(let condition): return condition
    case .operand(let operand):
      if operand.form.converter != nil { return operand.compare(.equal, value: true) }
      return ObjectCondition(
        .property(operand.operand), arguments: operand.arguments, failure: operand.failure)
    case .value(let value as Bool): return value ? .always : .never
    case .optionalCondition(let condition, let optionals):
      return Self.present(optionals, and: condition)
    case .object, .value, .range: throw Self.unsupported("A value instead of a condition")
    }
  }

  // MARK: Comparisons

  mutating func compare(
    _ left: Any, _ op: ComparisonOperator, _ right: Any
  ) throws -> PredicateTerm {
    .condition(try compare(try term(left), op, try term(right)))
  }

  func compare(
    _ left: PredicateTerm, _ op: ComparisonOperator, _ right: PredicateTerm
  ) throws -> ObjectCondition {
    switch (left, right) {
    case (.operand(let a), .operand(let b)): return a.compare(op, with: b)
    case (.operand(let a), .value(let value)): return a.compare(op, value: value)
    case (.value(let value), .operand(let b)):
      return ConditionOperand(value: value, as: b.form).compare(op, with: b)
    case (.condition, .value(let value as Bool)), (.optionalCondition, .value(let value as Bool)):
      return try asked(left, op, value)
    case (.value(let value as Bool), .condition), (.value(let value as Bool), .optionalCondition):
      return try asked(right, op, value)
    default: throw Self.unsupported("A comparison without a property")
    }
  }

  /// Returns the comparison of a condition with true or false.
  private func asked(
    _ term: PredicateTerm, _ op: ComparisonOperator, _ value: Bool
  ) throws -> ObjectCondition {
    if case .optionalCondition(let condition, let optionals) = term {
      // A nil value is neither true nor false.
      let asked = Self.present(optionals, and: value ? condition : !condition)
      return op == .notEqual ? !asked : asked
    }
    let condition = try condition(term)
    return (op == .equal) == value ? condition : !condition
  }

  /// Returns a condition that requires values of all optionals as well.
  private static func present(
    _ optionals: [ConditionOperand], and condition: ObjectCondition
  ) -> ObjectCondition {
    .all(of: optionals.map { $0.compare(.notEqual, value: nil) } + [condition])
  }

  /// Returns the condition of a term, or `fallback` if one of its optionals is nil.
  func condition(_ term: PredicateTerm, orElse fallback: Bool) throws -> ObjectCondition {
    switch term {
    case .optionalCondition(let condition, let optionals):
      return fallback
        ? .any(of: optionals.map { $0.compare(.equal, value: nil) } + [condition])
        : Self.present(optionals, and: condition)
    case .operand(let operand):
      return fallback ? operand.compare(.notEqual, value: false) : try condition(term)
    default: return try condition(term)
    }
  }

  mutating func search(
    _ op: TextOperator, _ subject: Any, _ pattern: Any
  ) throws -> PredicateTerm {
    switch (try term(subject), try term(pattern)) {
    case (.operand(let subject), .operand(let pattern)):
      return .condition(subject.search(op, [], in: pattern))
    case (.operand(let subject), .value(let value)):
      guard let text = Self.text(value) else {
        throw Self.unsupported("A search for a value that is not text")
      }
      return .condition(subject.search(op, [], value: text))
    case (.value(let value), .operand(let pattern)):
      guard let text = Self.text(value) else { break }
      return .condition(ConditionOperand(value: text).search(op, [], in: pattern))
    default: break
    }
    throw Self.unsupported("A search without a property")
  }

  static func text(_ value: Any?) -> String? {
    switch value {
    case let value as String: value
    case let value as Substring: String(value)
    case let value as Character: String(value)
    default: nil
    }
  }

  static func unsupported(_ what: String) -> VaultError {
    VaultError(
      .invalidCondition,
      "\(what) in a #Predicate is not supported. Write the condition as text, such as "
        + "where(\"classroom.floor >= %@\", 2), or with the members of the class, such as where { "
        + "$0.classroom.floor >= 2 }.")
  }
}
