package import ObjectVaultCondition

/// A value that a typed condition can ask for: a property, or what arithmetic makes of some.
public protocol ValueExpression<Value>: Sendable {
  /// Its type in Swift.
  associatedtype Value

  /// How it stands in a comparison.
  var operand: ConditionOperand { get }
}

/// A property of a class as typed conditions and sorts name it.
///
/// ```swift
/// try students.where { $0.age >= 18 && $0.name.hasPrefix("L") }.all()
/// ```
///
/// Its type makes the compiler check what it is compared with. Values compare as they are stored:
/// an enumeration by its raw value, text by its bytes.
public struct Property<Value>: ValueExpression {
  package let path: PropertyPath

  init(_ path: PropertyPath) { self.path = path }

  /// The property in a comparison.
  public var operand: ConditionOperand { ConditionOperand(Operand(.path(path))) }

  /// The name of the property in conditions and sorts; names between dots across associations.
  public var name: String { path.spelling }
}

/// A Bool property alone is a condition; nil is not true.
extension Property: ConditionConvertible where Value: TruthValue {
  /// The property is true.
  public var condition: ObjectCondition { ObjectCondition(.property(Operand(.path(path)))) }
}
