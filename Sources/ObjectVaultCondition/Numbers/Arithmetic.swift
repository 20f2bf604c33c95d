/// Calculations as conditions mean them: the same code in the evaluator and in the engine.
///
/// What has no result is nil: a number that is nil, a division by zero, and a result that does not fit
/// into 64 bits or is not finite. So no row makes a condition fail, and none wraps around.
package enum Arithmetic: Sendable, Hashable, CaseIterable {
  /// On integers. A division leaves the fraction out, as in Swift.
  case integer
  /// On doubles, to which integers are rounded first.
  case real

  /// The result, or nil where there is none.
  package func result(
    _ op: ArithmeticOperator, _ a: StoredValue, _ b: StoredValue
  ) -> StoredValue {
    switch self {
    case .integer:
      guard case .integer(let a) = a, case .integer(let b) = b else { return .null }
      return Self.integer(op, a, b).map(StoredValue.integer) ?? .null
    case .real:
      guard let a = Self.double(a), let b = Self.double(b) else { return .null }
      return Self.real(op, a, b).map(StoredValue.real) ?? .null
    }
  }

  private static func integer(_ op: ArithmeticOperator, _ a: Int64, _ b: Int64) -> Int64? {
    let (value, overflow) =
      switch op {
      case .add: a.addingReportingOverflow(b)
      case .subtract: a.subtractingReportingOverflow(b)
      case .multiply: a.multipliedReportingOverflow(by: b)
      // Zero counts as an overflow.
      case .divide: a.dividedReportingOverflow(by: b)
      }
    return overflow ? nil : value
  }

  private static func real(_ op: ArithmeticOperator, _ a: Double, _ b: Double) -> Double? {
    let value =
      switch op {
      case .add: a + b
      case .subtract: a - b
      case .multiply: a * b
      case .divide: a / b
      }
    // -0.0 is 0.0, as in a file.
    return value.isFinite ? value + 0 : nil
  }

  private static func double(_ value: StoredValue) -> Double? {
    switch value {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .null, .text, .blob: nil
    }
  }
}
