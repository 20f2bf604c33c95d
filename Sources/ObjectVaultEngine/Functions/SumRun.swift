import ObjectVaultCondition
import ObjectVaultDriver

/// The state of an SQL aggregate function that computes a sum or a mean.
final class SumRun: AggregateRun {
  /// The sum; SQLite calls the functions one after another.
  private let sum: UncheckedValue<ExactSum>
  private let isMean: Bool

  init(_ kind: ExactSum.Kind, isMean: Bool) {
    sum = UncheckedValue(ExactSum(kind: kind))
    self.isMean = isMean
  }

  func step(_ number: Double) { sum.value.add(number) }

  func step(_ arguments: FunctionArguments) {
    switch arguments.storage(at: 0) {
    case .integer: sum.value.add(arguments.integer(at: 0))
    case .text:
      arguments.withText(at: 0) { text in
        if let text { sum.value.add(decimal: UnsafeRawBufferPointer(text)) }
      }
    case .real, .null, .blob: break
    }
  }

  func finish(_ result: FunctionResult) {
    result.set(isMean ? sum.value.mean : sum.value.value)
  }
}

extension FunctionResult {
  /// Sets the result to a number or a text; to NULL for other values.
  func set(_ value: StoredValue) {
    switch value {
    case .integer(let value): set(value)
    case .real(let value): set(value)
    case .text(let value): set(value)
    case .null, .blob: setNull()
    }
  }
}

extension FunctionArguments {
  /// Returns an argument that is a number; NULL for other arguments.
  func number(at position: Int) -> StoredValue {
    switch storage(at: position) {
    case .integer: .integer(integer(at: position))
    case .real: .real(real(at: position))
    case .null, .text, .blob: .null
    }
  }
}
