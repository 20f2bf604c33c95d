package import ObjectVaultCondition

/// One step of a calculation in postfix order, encoded as a byte of the first `ov_calculate`
/// argument.
package enum CalculationStep: UInt8 {
  /// Pushes the next argument.
  case value = 0x76  // v
  case addIntegers = 0x2B  // +
  case subtractIntegers = 0x2D  // -
  case multiplyIntegers = 0x2A  // *
  case divideIntegers = 0x2F  // /
  case remainderOfIntegers = 0x25  // %
  case addReals = 0x61  // a
  case subtractReals = 0x73  // s
  case multiplyReals = 0x6D  // m
  case divideReals = 0x64  // d

  package init(_ kind: Arithmetic, _ op: ArithmeticOperator) {
    self =
      switch (kind, op) {
      case (.integer, .add): .addIntegers
      case (.integer, .subtract): .subtractIntegers
      case (.integer, .multiply): .multiplyIntegers
      case (.integer, .divide): .divideIntegers
      // The checker rejects the remainder of doubles.
      case (_, .remainder): .remainderOfIntegers
      case (.real, .add): .addReals
      case (.real, .subtract): .subtractReals
      case (.real, .multiply): .multiplyReals
      case (.real, .divide): .divideReals
      }
  }

  /// The calculation with the two values pushed last; `nil` for a step that pushes a value.
  var calculation: (kind: Arithmetic, op: ArithmeticOperator)? {
    switch self {
    case .value: nil
    case .addIntegers: (.integer, .add)
    case .subtractIntegers: (.integer, .subtract)
    case .multiplyIntegers: (.integer, .multiply)
    case .divideIntegers: (.integer, .divide)
    case .remainderOfIntegers: (.integer, .remainder)
    case .addReals: (.real, .add)
    case .subtractReals: (.real, .subtract)
    case .multiplyReals: (.real, .multiply)
    case .divideReals: (.real, .divide)
    }
  }

  /// Runs a program and returns its result, or NULL if the program does not fit its values.
  ///
  /// - Parameters:
  ///   - program: The steps.
  ///   - count: The number of values.
  ///   - value: Returns the value at a position.
  /// - Returns: The value that is left on the stack.
  package static func run(
    _ program: UnsafeBufferPointer<UInt8>, count: Int, _ value: (Int) -> StoredValue
  ) -> StoredValue {
    var stack: [StoredValue] = []
    stack.reserveCapacity(4)
    var position = 0
    for byte in program {
      guard let step = CalculationStep(rawValue: byte) else { return .null }
      if let (kind, op) = step.calculation {
        guard let right = stack.popLast(), let left = stack.popLast() else { return .null }
        stack.append(kind.result(op, left, right))
      } else {
        guard position < count else { return .null }
        stack.append(value(position))
        position += 1
      }
    }
    return stack.count == 1 ? stack[0] : .null
  }
}
