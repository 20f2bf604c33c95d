/// A sum that does not depend on the order in which its values are added: it is kept exactly and
/// rounded once, at the end.
///
/// The evaluator and the functions that SQL calls add with the same code.
package struct ExactSum {
  /// What the sum becomes.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// An integer where it fits into 64 bits, else the nearest double.
    case integer
    /// The nearest double; no value for infinity added to minus infinity.
    case real
    /// A decimal with all its digits.
    case decimal

    /// What values of a type are added as.
    package init(of type: PropertyType) {
      self =
        switch type.family {
        case .decimal: .decimal
        case .real: .real
        default: .integer
        }
    }
  }

  private let kind: Kind
  private var count = 0
  private var integers: Int128 = 0
  private var reals = RealSum()
  private var decimals = DecimalSum()

  package init(kind: Kind) { self.kind = kind }

  /// Adds a value; what is no number adds nothing.
  package mutating func add(_ value: StoredValue) {
    switch value {
    case .integer(let value): add(value)
    case .real(let value): add(value)
    case .text(var text): text.withUTF8 { add(decimal: UnsafeRawBufferPointer($0)) }
    case .null, .blob: break
    }
  }

  /// Adds an integer.
  package mutating func add(_ value: Int64) {
    count += 1
    integers += Int128(value)
  }

  /// Adds a double.
  package mutating func add(_ value: Double) {
    count += 1
    reals.add(value)
  }

  /// Adds a stored decimal, given as UTF-8.
  package mutating func add(decimal text: UnsafeRawBufferPointer) {
    guard kind == .decimal, let parts = DecimalText.Parts(text) else { return }
    count += 1
    decimals.add(parts)
  }

  /// The sum: 0 of no values.
  package var value: StoredValue {
    switch kind {
    case .integer:
      if reals.isEmpty, let value = Int64(exactly: integers) { return .integer(value) }
      return real.map(StoredValue.real) ?? .null
    case .real: return real.map(StoredValue.real) ?? .null
    case .decimal: return .text(decimals.text)
    }
  }

  /// The sum as a double, divided by how many values there are; no value of none.
  package var mean: StoredValue {
    guard count > 0, let real else { return .null }
    let mean = real / Double(count)
    return .real(mean)
  }

  private var real: Double? {
    if reals.isEmpty { return Double(integers) }
    var sum = reals
    sum.add(integers)
    return sum.rounded
  }
}
