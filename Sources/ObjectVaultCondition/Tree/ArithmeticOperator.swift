/// An arithmetic operation on two numbers.
package enum ArithmeticOperator: String, Sendable, Hashable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  /// The remainder of a division of integers, with the sign of the dividend.
  case remainder = "%"

  /// Whether the operator has lower precedence than the others.
  package var isAdditive: Bool { self == .add || self == .subtract }
}
