/// A calculation with values that were looked up.
package indirect enum Computation: Sendable, Hashable {
  case arithmetic(Arithmetic, ArithmeticOperator, ResolvedTerm, ResolvedTerm)

  /// What it calculates with.
  package var kind: Arithmetic {
    switch self {
    case .arithmetic(let kind, _, _, _): kind
    }
  }
}
