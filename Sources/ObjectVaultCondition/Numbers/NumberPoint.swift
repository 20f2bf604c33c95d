/// The position of a number among the values that a property can have.
///
/// A property of integers never equals 18.5, but `age > 18.5` is equivalent to `age > 18`. With the
/// bound moved to a value of the property's type, comparisons are exact and can use an index.
enum NumberPoint<Value: Sendable & Hashable>: Sendable, Hashable {
  /// The number is one of the values.
  case exact(Value)
  /// The number lies between this value and the next.
  case after(Value)
  /// The number is below every value.
  case belowAll
  /// The number is above every value.
  case aboveAll
}

extension NumberPoint<Int64> {
  /// Creates the position of a double among the integers, or `nil` for NaN.
  init?(_ value: Double) {
    if value.isNaN { return nil }
    if value >= 0x1p63 {
      self = .aboveAll
    } else if value < -0x1p63 {
      self = .belowAll
    } else {
      let floor = value.rounded(.down)
      self = floor == value ? .exact(Int64(value)) : .after(Int64(floor))
    }
  }

  /// Creates the position of a number in plain digits among the integers.
  init(decimal: String) {
    let isNegative = decimal.utf8.first == UInt8(ascii: "-")
    let whole = decimal.prefix { $0 != "." }
    guard let truncated = Int64(whole) else {
      self = isNegative ? .belowAll : .aboveAll
      return
    }
    if whole.utf8.count == decimal.utf8.count {
      self = .exact(truncated)
    } else if isNegative {
      let (floor, overflow) = truncated.subtractingReportingOverflow(1)
      self = overflow ? .belowAll : .after(floor)
    } else {
      self = .after(truncated)
    }
  }
}

extension NumberPoint<Double> {
  /// Creates the position of an integer among the doubles.
  init(_ value: Int64) {
    let rounded = Double(value)
    switch NumberOrder.compare(value, rounded) {
    case 0: self = .exact(rounded)
    case let order: self = .after(order < 0 ? rounded.nextDown : rounded)
    }
  }
}

/// The exact order between integers and doubles.
package enum NumberOrder {
  /// Returns a negative number, 0 or a positive number if `a` is less than, equal to or greater
  /// than `b`.
  ///
  /// `b` must not be NaN.
  package static func compare(_ a: Int64, _ b: Double) -> Int {
    if b >= 0x1p63 { return -1 }
    if b < -0x1p63 { return 1 }
    let truncated = Int64(b)
    if a != truncated { return a < truncated ? -1 : 1 }
    let fraction = b - Double(truncated)
    return fraction == 0 ? 0 : fraction > 0 ? -1 : 1
  }
}
