import CGFShare
import KeyProviderProgram
import Testing

@testable import RecoveryShares

@Suite("Shamir's sharing")
struct SharingTests {
  private let secret = (0..<25).map { UInt8(($0 * 73 + 41) & 255) }

  /// Returns the data of each share.
  private func divide(_ total: Int, _ needed: Int) throws -> [[UInt8]] {
    let divided = try RecoveryShares.divided(
      ProtectedBytes(copying: secret), total: total, needed: needed)
    return divided.withUnsafeBytes { bytes in
      (0..<total).map { Array(bytes[($0 * 25)..<(($0 + 1) * 25)]) }
    }
  }

  private func combine(_ numbers: [Int], _ data: [[UInt8]]) throws -> [UInt8] {
    try RecoveryShares.combined(
      numbers, ProtectedBytes(copying: data.flatMap { $0 }), size: data[0].count
    ).withUnsafeBytes { Array($0) }
  }

  /// Returns all subsets of 0..<total with some elements.
  private func subsets(_ total: Int, _ count: Int) -> [[Int]] {
    (0..<(1 << total)).map { bits in (0..<total).filter { bits >> $0 & 1 == 1 } }
      .filter { $0.count == count }
  }

  @Test("Any shares of the needed number restore the secret, in any order")
  func restores() throws {
    for total in 2...6 {
      for needed in 2...total {
        let shares = try divide(total, needed)
        for subset in subsets(total, needed) + [Array((0..<total).reversed())] {
          #expect(try combine(subset.map { $0 + 1 }, subset.map { shares[$0] }) == secret)
        }
      }
    }
    let shares = try divide(16, 16)
    #expect(try combine(Array(1...16), shares) == secret)
  }

  @Test("With one share less, every value of each byte of the secret stays possible")
  func revealsNothing() throws {
    for (total, needed) in [(2, 2), (5, 3), (16, 9)] {
      let shares = try divide(total, needed)
      let held = Array(0..<(needed - 1))
      for place in [0, 12, 24] {
        var secrets: Set<UInt8> = []
        for value in UInt8.min...UInt8.max {
          // Each value of the missing share is consistent with one secret.
          let data = held.map { [shares[$0][place]] } + [[value]]
          secrets.formUnion(try combine(held.map { $0 + 1 } + [needed], data))
        }
        #expect(secrets.count == 256)
      }
    }
  }

  @Test("One share of two takes every value equally often, whatever the secret is")
  func uniform() throws {
    var counts = [Int](repeating: 0, count: 256)
    for _ in 0..<2_000 {
      for byte in try divide(2, 2)[0] { counts[Int(byte)] += 1 }
    }
    // 50,000 bytes: chi-squared of 255 degrees of freedom is below 380 but once in 10^6 runs.
    let expected = 50_000.0 / 256
    let chiSquared = counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) }
    #expect(chiSquared / expected < 380)
  }

  @Test("Coefficients come from the random generator of the system, not from random()")
  func randomness() throws {
    srandom(1)
    let first = try divide(3, 2)
    srandom(1)
    #expect(try divide(3, 2) != first)
  }
}
