/// A calculation with two numbers.
package enum ArithmeticOperator: String, Sendable, Hashable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"

  /// Whether it binds less tightly than the others.
  package var isAdditive: Bool { self == .add || self == .subtract }
}
