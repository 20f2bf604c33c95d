import ObjectVaultCore
import Testing
import TestSupport

@testable import ObjectVaultStores

@Suite("Objects by near numbers") struct NearNumbersTests {
  private static let starts: [Int64] = [1, 0, -40, .min, .min + 7, .max, .max - 60, 1_000_000]

  @Test("are found under their own numbers, and take little more room than they need")
  func found() {
    var random = SeededGenerator(for: "near numbers")
    var (kept, refused) = (0, 0)
    for turn in 0..<400 {
      var near = NearNumbers<String>()
      var expected: [Int64: String] = [:]
      let start = Self.starts[turn % Self.starts.count]
      for _ in 0..<120 {
        let number =
          Int.random(in: 0..<8, using: &random) == 0
          ? Int64.random(in: .min ... .max, using: &random)
          : start &+ Int64.random(in: -20...150, using: &random)
        #expect(near[number] == expected[number])
        guard expected[number] == nil else { continue }
        let room = 2 * expected.count + 17
        if near.keep("\(number)", number) {
          expected[number] = "\(number)"
        } else {
          refused += 1
          #expect(near[number] == nil)
        }
        #expect(near.row.count <= max(room, expected.count))
      }
      kept += expected.count
      #expect(expected.allSatisfy { near[$0.key] == $0.value })
    }
    #expect(kept > 4_000)
    #expect(refused > 4_000)
  }

  @Test("stand in a row without gaps when they come in their order")
  func inOrder() {
    var near = NearNumbers<Int64>()
    for number in Int64(7)...1_006 {
      let isNear = near.keep(number, number)
      #expect(isNear)
    }
    #expect(near.row.map { $0 ?? 0 } == Array(7...1_006))
    #expect(near[6] == nil)
    #expect(near[1_007] == nil)
  }
}
