/// The exact sum of doubles, as a fixed-point number that covers their whole range.
///
/// Every finite double is a multiple of 2^-1074 below 2^1024. The sum is stored as 32-bit digits of
/// such multiples, each in 64 bits, so that carries can be deferred. The algorithm follows R. M.
/// Neal, "Fast exact summation using small and large superaccumulators", 2015. Values of about the
/// magnitude of the first one are added in 128 bits before they are added to the digits. Most sums
/// need no more than these 128 bits.
package struct RealSum {
  /// The 2098 bits of doubles, and room for the largest possible number of values.
  private static let digitCount = 70

  /// The digits, the least significant first; empty before the first value.
  private var digits: [Int64] = []
  private var additions = 0
  /// The part of the sum that is not in the digits, in multiples of 2^(`nearPlace` - 1074).
  private var near: Int128 = 0
  private var nearPlace = 0
  /// The smallest exponent of values added to `near`; before the first value, one that no value
  /// has.
  private var nearExponent = Int.min
  /// The number of binary places above `nearPlace` at which a value may have its last bit.
  ///
  /// With the 53 bits of the value, some bits remain unused.
  private static let nearPlaces: UInt = 64
  private var hasInfinity = false
  private var hasMinusInfinity = false
  private var hasNaN = false

  package init() {}

  /// Whether no value was added.
  package var isEmpty: Bool { digits.isEmpty }

  @inline(__always)
  package mutating func add(_ value: Double) {
    let bits = value.bitPattern
    let exponent = Int(truncatingIfNeeded: bits &>> 52) & 0x7FF
    let above = UInt(bitPattern: exponent &- nearExponent)
    guard above <= Self.nearPlaces else { return add(far: value, exponent) }
    let significand = Int64(truncatingIfNeeded: bits & (1 << 52 - 1) | 1 << 52)
    let signed = Int128(value.sign == .minus ? -significand : significand)
    let part = signed &<< Int128(truncatingIfNeeded: above)
    let (sum, isOverflow) = near.addingReportingOverflow(part)
    if isOverflow { addNear() }
    near = isOverflow ? part : sum
  }

  /// Adds the first value, or one that is much smaller or larger than the first.
  private mutating func add(far value: Double, _ exponent: Int) {
    guard exponent < 0x7FF else { return add(special: value) }
    let place = max(exponent, 1) - 1
    if digits.isEmpty { begin(at: place) }
    let significand = Int64(value.significandBitPattern) | (exponent > 0 ? 1 << 52 : 0)
    add(Int128(value.sign == .minus ? -significand : significand), shiftedBy: place)
  }

  /// Adds an integer of at most 2^95.
  package mutating func add(_ value: Int128) {
    if digits.isEmpty { begin(at: 1074) }
    add(value, shiftedBy: 1074)
  }

  private mutating func add(special value: Double) {
    if digits.isEmpty { begin(at: 0) }
    hasNaN = hasNaN || value.isNaN
    hasInfinity = hasInfinity || value == .infinity
    hasMinusInfinity = hasMinusInfinity || value == -.infinity
  }

  /// The nearest double, or `nil` if there is no sum.
  ///
  /// Of two equally near doubles it is the one with an even last digit. Beyond the greatest double
  /// it is infinity.
  package var rounded: Double? {
    if hasNaN || hasInfinity && hasMinusInfinity { return nil }
    if hasInfinity { return .infinity }
    if hasMinusInfinity { return -.infinity }
    let (sum, isNegative) = absolute
    let magnitude = sum.magnitude
    return isNegative ? -magnitude : magnitude
  }

  /// Returns the sum divided by the number of its values, or `nil` if there is no sum.
  ///
  /// The mean of finite values is finite, even if their sum is beyond the greatest double.
  package func mean(of count: Int) -> Double? {
    guard let rounded else { return nil }
    if rounded.isFinite || hasInfinity || hasMinusInfinity { return rounded / Double(count) }
    let (dividend, isNegative) = absolute
    var sum = dividend
    sum.divide(by: UInt128(count))
    return isNegative ? -sum.magnitude : sum.magnitude
  }

  /// The absolute value with carried digits, and whether the sum is negative.
  private var absolute: (sum: RealSum, isNegative: Bool) {
    var sum = self
    sum.addNear()
    sum.carry()
    let isNegative = (sum.digits.last ?? 0) < 0
    if isNegative {
      for position in sum.digits.indices { sum.digits[position].negate() }
      sum.carry()
    }
    return (sum, isNegative)
  }

  /// Divides digits that are carried and not negative.
  private mutating func divide(by divisor: UInt128) {
    var rest: UInt128 = 0
    for position in digits.indices.reversed() {
      let part = rest << UInt128(32) | UInt128(digits[position])
      digits[position] = Int64(part / divisor)
      rest = part % divisor
    }
    // It is far below the last bit of a great quotient and decides whether that is rounded up.
    if rest != 0 { digits[0] |= 1 }
  }

  /// Allocates the digits, and sets the range of `near` around the first value.
  private mutating func begin(at place: Int) {
    digits = Array(repeating: 0, count: Self.digitCount)
    // The exponents of `near` exclude those of subnormal values and of infinity.
    nearPlace = min(max(0, place - Int(Self.nearPlaces) / 2), 0x7FD - Int(Self.nearPlaces))
    nearExponent = nearPlace + 1
  }

  /// Adds `near` to the digits.
  private mutating func addNear() {
    add(near, shiftedBy: nearPlace)
    near = 0
  }

  private mutating func add(_ value: Int128, shiftedBy shift: Int) {
    var rest = value.magnitude
    var shift = shift
    while rest != 0 {
      add(rest & 0xFFFF_FFFF, shiftedBy: shift, isNegative: value < 0)
      rest >>= 32
      shift += 32
    }
  }

  private mutating func add(_ value: UInt128, shiftedBy shift: Int, isNegative: Bool) {
    // Each addition changes a digit by less than 2^32.
    if additions == 1 << 30 { carry() }
    additions += 1
    var rest = value << UInt128(shift % 32)
    var position = shift / 32
    while rest != 0 {
      let digit = Int64(rest & 0xFFFF_FFFF)
      digits[position] += isNegative ? -digit : digit
      rest >>= 32
      position += 1
    }
  }

  /// Carries, so that every digit except the last has 32 bits.
  private mutating func carry() {
    additions = 0
    for position in 0..<(digits.count - 1) {
      // Rounds down, for negative values too.
      let over = digits[position] >> 32
      digits[position] -= over << 32
      digits[position + 1] += over
    }
  }

  /// The double of digits that are carried and not negative.
  private var magnitude: Double {
    guard let last = digits.lastIndex(where: { $0 != 0 }) else { return 0 }
    let highest = last * 32 + 63 - digits[last].leadingZeroBitCount
    // Up to 53 bits are the bit pattern of a double: subnormal, or one of the least normal ones.
    guard highest > 52 else { return Double(bitPattern: bits(from: 0, count: 53)) }
    let dropped = highest - 52
    var significand = bits(from: dropped, count: 53)
    if bits(from: dropped - 1, count: 1) == 1,
      significand & 1 == 1 || hasBits(below: dropped - 1)
    {
      significand += 1
    }
    // The first bit of the significand increments the exponent by one; so does a carry out of it.
    let pattern = UInt64(dropped) << 52 + significand
    return pattern >= Double.infinity.bitPattern ? .infinity : Double(bitPattern: pattern)
  }

  private func bits(from start: Int, count: Int) -> UInt64 {
    var value: UInt128 = 0
    for offset in 0..<3 where start / 32 + offset < digits.count {
      value |= UInt128(digits[start / 32 + offset]) << UInt128(32 * offset)
    }
    return UInt64(value >> UInt128(start % 32) & (1 << UInt128(count) - 1))
  }

  private func hasBits(below end: Int) -> Bool {
    digits[..<(end / 32)].contains { $0 != 0 }
      || digits[end / 32] & (1 << Int64(end % 32) - 1) != 0
  }
}
