package import ObjectVaultCondition

/// A value in typed conditions: a property or a calculation from properties.
public protocol ValueExpression<Value>: Sendable {
  /// The Swift type of the value.
  associatedtype Value

  /// The expression in a comparison.
  var operand: ConditionOperand { get }
}

/// A property of a class in typed conditions and sorts.
///
/// ```swift
/// try students.where { $0.age >= 18 && $0.name.hasPrefix("L") }.all()
/// ```
///
/// The compiler checks the types of comparisons. Values are compared in their stored form: an
/// enumeration by its raw value, text by its bytes.
public struct Property<Value>: ValueExpression {
  package let path: PropertyPath

  package init(_ path: PropertyPath) { self.path = path }

  /// The property in a comparison.
  public var operand: ConditionOperand { ConditionOperand(Operand(.path(path))) }

  /// The name of the property in conditions and sorts; a dotted path across associations.
  public var name: String { path.spelling }
}

/// A Bool property is a condition by itself; nil is not true.
extension Property: ConditionConvertible where Value: TruthValue {
  /// The condition that the property is true.
  public var condition: ObjectCondition { ObjectCondition(.property(Operand(.path(path)))) }
}
