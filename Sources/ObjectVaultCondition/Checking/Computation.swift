/// A calculation with resolved operands.
package indirect enum Computation: Sendable, Hashable {
  case arithmetic(Arithmetic, ArithmeticOperator, ResolvedTerm, ResolvedTerm)

  /// The kind of arithmetic.
  package var kind: Arithmetic {
    switch self {
    case .arithmetic(let kind, _, _, _): kind
    }
  }
}
