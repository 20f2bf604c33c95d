import Testing

@Suite("Finding what tests cover") struct CoveringTestsTests {
  private func names(_ source: String) -> [String: Set<String>] {
    CoveringTests(source: source, target: "T").namesByRow
  }

  @Test("a test is named by target, suite and function")
  func test() {
    let found = names(
      """
      @Suite struct A {
        let x = { 1 }()
        @Test("b", .covers("S1", "S2"), arguments: [f("("), "}"]) func b() { if true {} }
        @Test(.covers("S2")) func `c d`() {}
        @Test func e() {}
      }
      """)
    #expect(found == ["S1": ["T.A/b"], "S2": ["T.A/b", "T.A/c d"]])
  }

  @Test("a suite stands for all its tests, also within another and in an extension")
  func suite() {
    let found = names(
      """
      @Suite("A", .covers("S1"))
      final class A {
        @Suite(.covers("S2")) enum B { @Test(.covers("S3")) static func c() {} }
      }
      extension A { @Test(.covers("S4")) func d() {} }
      @Test(.covers("S5")) func free() {}
      """)
    #expect(
      found == [
        "S1": ["T.A"], "S2": ["T.A/B"], "S3": ["T.A/B/c"], "S4": ["T.A/d"], "S5": ["T.free"],
      ])
  }

  @Test("what stands in comments and texts covers nothing")
  func inert() {
    let found = names(
      ##"""
      // @Test(.covers("S1")) func a() {}
      /* @Test(.covers("S1")) /* */ func a() {} */
      struct A {
        let x = "@Test(.covers(\"S1\")) func a() {} {{{"
        let y = #"@Test(.covers("S1")) \#("}" + "\(1)") func a() {} {"#
        let z = """
          @Test(.covers("S1")) func a() {
          """
        @Test("\(x["{"]) is text", .covers("S2")) func b() {}
      }
      """##)
    #expect(found == ["S2": ["T.A/b"]])
  }
}
