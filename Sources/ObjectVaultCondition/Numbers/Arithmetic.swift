/// The arithmetic of conditions.
///
/// A calculation without a result is nil: one with a nil operand, a division by zero, and a result
/// that does not fit into 64 bits or is not finite. No row makes a condition fail, and no result
/// wraps around.
package enum Arithmetic: Sendable, Hashable, CaseIterable {
  /// Arithmetic on integers. A division truncates the fraction, as in Swift.
  case integer
  /// Arithmetic on doubles; integers are rounded to doubles first.
  case real

  /// Returns the result, or null if the calculation has none.
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
      // Division by zero counts as an overflow.
      case .divide: a.dividedReportingOverflow(by: b)
      // The least integer divided by -1 overflows, but its remainder does not.
      case .remainder: b == -1 ? (0, false) : a.remainderReportingOverflow(dividingBy: b)
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
      // The checker accepts the remainder of integers only.
      case .remainder: Double.nan
      }
    // Converts -0.0 to 0.0, as in a file.
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
