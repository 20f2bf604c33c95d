/// Where a number lies among the values that a property can hold.
///
/// A property of integers is never equal to 18.5, but `age > 18.5` means `age > 18`. Moving the
/// bound to a value of the property's own kind keeps comparisons exact and lets an index serve
/// them.
enum NumberPoint<Value: Sendable & Hashable>: Sendable, Hashable {
  /// It is one of the values.
  case exact(Value)
  /// It lies between this value and the next.
  case after(Value)
  /// It is below every value.
  case belowAll
  /// It is above every value.
  case aboveAll
}

extension NumberPoint<Int64> {
  /// Where a double lies among the integers; `nil` for NaN.
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

  /// Where a number written as plain digits lies among the integers.
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
  /// Where an integer lies among the doubles.
  init(_ value: Int64) {
    let rounded = Double(value)
    switch NumberOrder.compare(value, rounded) {
    case 0: self = .exact(rounded)
    case let order: self = .after(order < 0 ? rounded.nextDown : rounded)
    }
  }
}

/// The exact order of integers and doubles among each other.
package enum NumberOrder {
  /// Negative, 0 or positive as `a` is less than, equal to or greater than `b`, which is not NaN.
  package static func compare(_ a: Int64, _ b: Double) -> Int {
    if b >= 0x1p63 { return -1 }
    if b < -0x1p63 { return 1 }
    let truncated = Int64(b)
    if a != truncated { return a < truncated ? -1 : 1 }
    let fraction = b - Double(truncated)
    return fraction == 0 ? 0 : fraction > 0 ? -1 : 1
  }
}
