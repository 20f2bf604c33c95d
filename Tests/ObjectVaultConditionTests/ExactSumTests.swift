import ConditionReference
import TestSupport
import Testing

import ObjectVaultCondition

@Suite("An exact sum") struct ExactSumTests {
  private func sum(_ values: [Double]) -> StoredValue {
    var sum = ExactSum(kind: .real)
    for value in values { sum.add(value) }
    return sum.value
  }

  @Test(
    "is the double that is nearest to the sum of all digits",
    arguments: [
      ([], 0), ([0.1, 0.2, 0.3], 0.6), ([1e100, 1, -1e100], 1), ([-0.0, -0.0], 0),
      // Half of the last digit goes to the even one, and anything more goes up.
      ([0x1p53, 1], 0x1p53), ([0x1p53 + 2, 1], 0x1p53 + 4), ([0x1p53, 1, 0x1p-1074], 0x1p53 + 2),
      ([-0x1p53, -1, -0x1p-1074], -0x1p53 - 2),
      ([.leastNonzeroMagnitude, .leastNonzeroMagnitude], 0x1p-1073),
      ([0x1p-1022, -.leastNonzeroMagnitude], 0x1p-1022.nextDown),
      (
        [.greatestFiniteMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude],
        .greatestFiniteMagnitude
      ),
      ([.greatestFiniteMagnitude, .greatestFiniteMagnitude], .infinity),
      ([.greatestFiniteMagnitude, 0x1p969], .greatestFiniteMagnitude),
      ([.greatestFiniteMagnitude, 0x1p970], .infinity), ([.infinity, 1], .infinity),
      ([-.infinity, .greatestFiniteMagnitude], -.infinity),
    ] as [([Double], Double)])
  func nearest(values: [Double], expected: Double) {
    #expect(sum(values) == .real(expected))
    #expect(sum(values.reversed()) == .real(expected))
  }

  @Test(
    "has a finite mean if its values are finite",
    arguments: [
      ([.greatestFiniteMagnitude, .greatestFiniteMagnitude], .greatestFiniteMagnitude),
      (Array(repeating: -.greatestFiniteMagnitude, count: 7), -.greatestFiniteMagnitude),
      ([0x1p1023, 0x1p1023, 0x1p1023, 0], 0x1.8p1022),
      ([0x1p1023, 0x1p1023, 0], 0x1.5555555555555p1022),
      // Half of the last digit goes to the even one.
      ([0x1p1023 + 0x1p971, 0x1p1023], 0x1p1023),
      ([.infinity, 1], .infinity), ([1, 2], 1.5),
    ] as [([Double], Double)])
  func mean(values: [Double], expected: Double) {
    var sum = ExactSum(kind: .real)
    for value in values { sum.add(value) }
    #expect(sum.mean == .real(expected))
  }

  @Test("agrees with the sum of whole numbers, in any order") func wholeNumbers() {
    var random = SeededGenerator(for: "sums of doubles")
    for _ in 0..<2_000 {
      // Multiples of 2^-40 below 2^60, whose sum 128 bits hold.
      let values = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        Double(Int64.random(in: -1 << 52...1 << 52, using: &random))
          * random.pick([1, 0x1p-40, 0x1p-20, 256])
      }
      let whole = values.reduce(Int128(0)) { $0 + Int128($1 * 0x1p40) }
      #expect(sum(values.shuffled(using: &random)) == .real(Double(whole) * 0x1p-40))
    }
  }

  @Test("has room for values of any size beside those as large as the first") func anySize() {
    var random = SeededGenerator(for: "sums of doubles of any size")
    for _ in 0..<2_000 {
      // Each with its opposite, and one that remains.
      var values = (0..<Int.random(in: 0...40, using: &random)).flatMap { _ in
        let value = Double(
          sign: random.pick([.plus, .minus]),
          exponent: Int.random(in: -1080...1022, using: &random),
          significand: Double.random(in: 1..<2, using: &random))
        return [value, -value]
      }
      let rest = random.pick([0x1p-1074, 0x1p-1022, 1, 0.1, -3, 0x1p1023, -0x1.fffffp-600])
      values.append(rest)
      #expect(sum(values.shuffled(using: &random)) == .real(rest))
    }
    // As many as fill the room.
    let large = Array(repeating: 0x1.fffffffffffffp52, count: 5_000)
    #expect(sum([1] + large + large.map { -$0 } + [0x1p40]) == .real(0x1p40 + 1))
    let many = Array(repeating: 0x1.8p32, count: 4_096)
    #expect(sum([1] + many) == .real(0x1.8p44 + 1))
    #expect(sum([-1] + many.map { -$0 }) == .real(-0x1.8p44 - 1))
  }

  @Test("carries however many values there are") func carries() {
    var sum = RealSum()
    for _ in 0..<300_000 {
      sum.add(0x1.fffffffffffffp60)
      sum.add(-0x1p-30)
    }
    let expected = Double((Int128(0x1f_ffff_ffff_ffff) << 38 - 1) * 300_000) * 0x1p-30
    #expect(sum.rounded == expected)
  }

  @Test("of integers is one where 64 bits hold it") func integers() {
    var sum = ExactSum(kind: .integer)
    sum.add(.integer(.max))
    sum.add(.integer(1))
    #expect(sum.value == .real(0x1p63))
    sum.add(.integer(-1))
    #expect(sum.value == .integer(.max))
    // What another program put into the column.
    sum.add(.real(0.5))
    #expect(sum.value == .real(0x1p63))
    #expect(sum.mean == .real(0x1p61))
  }

  @Test("of decimals has every digit") func decimals() {
    var random = SeededGenerator(for: "sums of decimals")
    for _ in 0..<2_000 {
      var sum = ExactSum(kind: .decimal)
      var whole: Int128 = 0
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        let value = Int64.random(in: -999_999...999_999, using: &random)
        let digits = Int.random(in: 0...6, using: &random)
        sum.add(.text(Self.text(Int128(value), digits)))
        whole += Int128(value) * [1_000_000, 100_000, 10_000, 1_000, 100, 10, 1][digits]
      }
      #expect(sum.value == .text(Self.text(whole, 6)))
    }
    var sum = ExactSum(kind: .decimal)
    for text in ["1e5", "", "x", "-", "1."] { sum.add(.text(text)) }
    #expect(sum.value == .text("0"))
    #expect(sum.mean == .null)
  }

  /// A whole number of 10^-`digits` as decimals are stored.
  private static func text(_ value: Int128, _ digits: Int) -> String {
    DecimalText.canonical("\(value)e-\(digits)") ?? ""
  }
}
