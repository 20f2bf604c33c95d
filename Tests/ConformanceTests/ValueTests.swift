import ObjectVaultConformance
import ObjectVaultConformanceFormat
import Testing

@Suite("Values of fixtures")
struct ValueTests {
  @Test("Texts are equal by their bytes, not by what Unicode takes for equivalent")
  func textByBytes() {
    #expect(FixtureValue.text("\u{E9}") != .text("e\u{301}"))
    #expect(FixtureValue.text("\u{E9}") == .text("\u{E9}"))
  }

  @Test("Doubles are equal by their bits")
  func doublesByBits() {
    #expect(FixtureValue.double(0) != .double(-0.0))
    #expect(FixtureValue.double(.nan) == .double(.nan))
    #expect(FixtureValue.double(1) != .integer(1))
  }

  @Test("The order of properties does not count, their names and number do")
  func objects() {
    let a = FixtureValue.object([.init("a", .integer(1)), .init("b", .null)])
    #expect(a == .object([.init("b", .null), .init("a", .integer(1))]))
    #expect(a != .object([.init("a", .integer(1))]))
    #expect(a != .object([.init("a", .integer(1)), .init("c", .null)]))
  }
}
