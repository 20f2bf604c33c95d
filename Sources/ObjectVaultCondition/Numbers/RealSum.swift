/// The exact sum of doubles: a fixed-point number as wide as all of them.
///
/// Every finite double is a multiple of 2^-1074 below 2^1024. The sum is kept as 32-bit digits of
/// such multiples, each in 64 bits, so that carries can wait. After R. M. Neal, "Fast exact
/// summation using small and large superaccumulators", 2015.
struct RealSum {
  /// 2098 bits of doubles, and room for as many values as there can be.
  private static let digitCount = 70

  /// The least significant first; none before the first value.
  private var digits: [Int64] = []
  private var additions = 0
  private var hasInfinity = false
  private var hasMinusInfinity = false
  private var hasNaN = false

  /// Whether nothing was added.
  var isEmpty: Bool { digits.isEmpty }

  mutating func add(_ value: Double) {
    begin()
    guard value.isFinite else {
      hasNaN = hasNaN || value.isNaN
      hasInfinity = hasInfinity || value == .infinity
      hasMinusInfinity = hasMinusInfinity || value == -.infinity
      return
    }
    let isNormal = value.exponentBitPattern > 0
    let significand = value.significandBitPattern | (isNormal ? 1 << 52 : 0)
    let shift = isNormal ? Int(value.exponentBitPattern) - 1 : 0
    add(UInt128(significand), shiftedBy: shift, isNegative: value.sign == .minus)
  }

  /// Adds an integer of no more than 2^95.
  mutating func add(_ value: Int128) {
    begin()
    add(value.magnitude & 0xFFFF_FFFF, shiftedBy: 1074, isNegative: value < 0)
    add(value.magnitude >> 32 & 0xFFFF_FFFF, shiftedBy: 1074 + 32, isNegative: value < 0)
    add(value.magnitude >> 64 & 0xFFFF_FFFF, shiftedBy: 1074 + 64, isNegative: value < 0)
  }

  /// The nearest double, of two that are as near the one with an even last digit; infinity beyond
  /// the greatest; `nil` where there is none.
  var rounded: Double? {
    if hasNaN || hasInfinity && hasMinusInfinity { return nil }
    if hasInfinity { return .infinity }
    if hasMinusInfinity { return -.infinity }
    var sum = self
    sum.carry()
    let isNegative = (sum.digits.last ?? 0) < 0
    if isNegative {
      for position in sum.digits.indices { sum.digits[position].negate() }
      sum.carry()
    }
    let magnitude = sum.magnitude
    return isNegative ? -magnitude : magnitude
  }

  private mutating func begin() {
    if digits.isEmpty { digits = Array(repeating: 0, count: Self.digitCount) }
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

  /// Makes every digit but the last one of 32 bits.
  private mutating func carry() {
    additions = 0
    for position in 0..<(digits.count - 1) {
      // Rounds down, also below 0.
      let over = digits[position] >> 32
      digits[position] -= over << 32
      digits[position + 1] += over
    }
  }

  /// The double of digits that are carried and not negative.
  private var magnitude: Double {
    guard let last = digits.lastIndex(where: { $0 != 0 }) else { return 0 }
    let highest = last * 32 + 63 - digits[last].leadingZeroBitCount
    // Up to 53 bits are those of a double as they stand: subnormal, or the least normal ones.
    guard highest > 52 else { return Double(bitPattern: bits(from: 0, count: 53)) }
    let dropped = highest - 52
    var significand = bits(from: dropped, count: 53)
    if bits(from: dropped - 1, count: 1) == 1,
      significand & 1 == 1 || hasBits(below: dropped - 1)
    {
      significand += 1
    }
    // The significand's first bit counts the exponent up by one; so does a carry out of it.
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
