import Testing

@Suite("What is said about an attribute in the wrong place")
struct PlacementDiagnosticsTests {
  @Test("on a property that holds nothing of the object's own", arguments: unstored)
  func holdsNothing(_ mistake: Mistake) { expect(mistake) }

  static let unstored = ["ObjectID", "Indexed", "Ignored", #"Column("b")"#].flatMap { attribute in
    let name = attribute.prefix { $0 != "(" }
    return [
      Mistake(
        "@Stored struct S { 👉@\(attribute) var a: Int { 1 } }",
        "'@\(name)' has no effect here: 'a' is computed and has no value to store",
        fixes: ["remove '@\(name)'": "@Stored struct S { var a: Int { 1 } }"]),
      Mistake(
        "@Stored struct S { 👉@\(attribute) static var a = 1 }",
        "'@\(name)' has no effect here: 'a' is static and belongs to no object",
        fixes: ["remove '@\(name)'": "@Stored struct S { static var a = 1 }"]),
    ]
  }

  @Test("beside another that rules it out", arguments: conflicts)
  func conflict(_ mistake: Mistake) { expect(mistake) }

  static let conflicts = [
    Mistake(
      "@Stored struct S { @Ignored 👉@ObjectID var a: Int = 1 }",
      "'a' is ignored, so '@ObjectID' has no effect",
      fixes: ["remove '@ObjectID'": "@Stored struct S { @Ignored var a: Int = 1 }"]),
    Mistake(
      "@Stored struct S { @Ignored 👉@Indexed var a: Int = 1 }",
      "'a' is ignored, so '@Indexed' has no effect",
      fixes: ["remove '@Indexed'": "@Stored struct S { @Ignored var a: Int = 1 }"]),
    Mistake(
      """
      @Stored struct S {
        @Indexed
        👉@Indexed(unique: true)
        var a: Int
      }
      """,
      "'a' has '@Indexed' twice",
      fixes: [
        "remove '@Indexed'": """
        @Stored struct S {
          @Indexed
          var a: Int
        }
        """
      ]),
  ]

  @Test("outside a stored type", arguments: outside)
  func misplaced(_ mistake: Mistake) { expect(mistake) }

  static let outside = [
    Mistake(
      "struct S { 👉@Indexed var a: Int }",
      "'@Indexed' has no effect outside a type marked '@Stored'",
      fixes: ["remove '@Indexed'": "struct S { var a: Int }"]),
    Mistake(
      "👉@ObjectID var a = 1",
      "'@ObjectID' has no effect outside a type marked '@Stored'",
      fixes: ["remove '@ObjectID'": "var a = 1"]),
    Mistake(
      "struct S { 👉@Ignored func f() {} }",
      "'@Ignored' can only be attached to a stored property",
      fixes: ["remove '@Ignored'": "struct S { func f() {} }"]),
  ]
}
