/// An arithmetic operation on two numbers.
package enum ArithmeticOperator: String, Sendable, Hashable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"

  /// Whether the operator has lower precedence than the others.
  package var isAdditive: Bool { self == .add || self == .subtract }
}
