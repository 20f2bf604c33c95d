import ObjectVaultCondition
import ObjectVaultDriver

extension ConditionSQLWriter {
  /// Returns a calculation as one function call of any depth.
  ///
  /// Nested calls would overflow the stack of the engine's parser.
  mutating func calculation(_ computation: Computation) -> String {
    var steps: [CalculationStep] = []
    var operands: [String] = []
    add(computation, &steps, &operands)
    let program = String(decoding: steps.map(\.rawValue), as: UTF8.self)
    return "ov_calculate('\(program)', \(operands.joined(separator: ", ")))"
  }

  private mutating func add(
    _ computation: Computation, _ steps: inout [CalculationStep], _ operands: inout [String]
  ) {
    guard case .arithmetic(let kind, let op, let left, let right) = computation else { return }
    // Left before right: the order of the parameters in the text.
    for term in [left, right] {
      if case .shape(let shape) = term, let inner = shape.computation {
        add(inner, &steps, &operands)
      } else {
        operands.append(value(of: term))
        steps.append(.value)
      }
    }
    steps.append(CalculationStep(kind, op))
  }
}
