/// A sum that does not depend on the order of its values.
///
/// The sum is exact and is rounded once, at the end. The SQL functions and the tests use the
/// same code.
package struct ExactSum {
  /// The type of the result.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// An integer if the sum fits into 64 bits, otherwise the nearest double.
    case integer
    /// The nearest double, or no value for infinity added to negative infinity.
    case real
    /// A decimal with all its digits.
    case decimal

    /// Creates the kind of sum for values of a type.
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

  /// Adds a stored decimal in UTF-8.
  package mutating func add(decimal text: UnsafeRawBufferPointer) {
    guard kind == .decimal, let parts = DecimalText.Parts(text) else { return }
    count += 1
    decimals.add(parts)
  }

  /// The sum, or 0 if no value was added.
  package var value: StoredValue {
    switch kind {
    case .integer:
      if reals.isEmpty, let value = Int64(exactly: integers) { return .integer(value) }
      return real.map(StoredValue.real) ?? .null
    case .real: return real.map(StoredValue.real) ?? .null
    case .decimal: return .text(decimals.text)
    }
  }

  /// The sum as a double divided by the number of values, or null without values.
  ///
  /// A finite sum beyond the greatest double is divided before it is rounded.
  package var mean: StoredValue {
    guard count > 0 else { return .null }
    if reals.isEmpty { return .real(Double(integers) / Double(count)) }
    var sum = reals
    sum.add(integers)
    return sum.mean(of: count).map(StoredValue.real) ?? .null
  }

  private var real: Double? {
    if reals.isEmpty { return Double(integers) }
    var sum = reals
    sum.add(integers)
    return sum.rounded
  }
}
