import Testing

@Suite("An attribute inside #if")
struct ConditionalAttributeTests {
  private static let message =
    "'a' has an attribute inside '#if': the table must be the same in every build"

  @Test(
    "is rejected on a stored property",
    arguments: [
      "#if X\n@Sealed\n#endif",
      "#if X\n@ObjectVault.Sealed(.findable)\n#endif",
      "#if X\n@ObjectID\n#endif",
      "#if X\n@Ignored\n#endif",
      "#if X\n@available(*, deprecated)\n#else\n@Column(\"b\")\n#endif",
      "#if X\n#if Y\n@Indexed\n#endif\n#endif",
      "@Indexed\n#if X\n@Sealed(.findable)\n#endif",
      "@Ignored\n#if X\n@Sealed\n#endif",
      "#if X\n@Published\n#endif",
    ])
  func rejected(attributes: String) {
    let text = expansion("@Stored struct S {\n\(attributes)\nvar a: String = \"\"\n}")
    #expect(text.contains(Self.message))
    #expect(!text.contains("classDescription"))
  }

  @Test("is rejected on a property that 'only' leaves out")
  func leftOut() {
    let text = expansion(
      "@Stored(only: [\"b\"]) struct S {\n#if X\n@Sealed\n#endif\nvar a = 1\nvar b = 1\n}")
    #expect(text.contains(Self.message))
  }

  @Test(
    "has no effect on a property without a stored value",
    arguments: [("var a: Int { 1 }", "is computed"), ("static var a = 1", "is static")])
  func unstored(property: String, reason: String) {
    let text = expansion("@Stored struct S {\n#if X\n@Indexed\n#endif\n\(property)\n}")
    #expect(text.contains("'@Indexed' has no effect here: 'a' \(reason)"))
  }

  @Test(
    "is allowed if it does not concern the table",
    arguments: [
      "#if X\n@available(*, deprecated)\n#endif\nvar a = 1",
      "#if X\n@objc\n#else\n@usableFromInline\n#endif\nvar a = 1",
      "@Ignored\n#if X\n@Published\n#endif\nvar a = 1",
      "#if X\n@MainActor\n#endif\nstatic var a = 1",
      "#if X\n@MainActor\n#endif\nvar a: Int { 1 }",
    ])
  func allowed(property: String) {
    let text = expansion("@Stored struct S {\n\(property)\n}")
    #expect(text.contains("extension S: ObjectVault.StoredObject"))
    #expect(!text.contains("#if': "))
  }

  @Test("a type that is stored only in some builds has no attributes on its properties")
  func stored() {
    let mark = "#if X\n@Stored\n#else\n@frozen\n#endif"
    #expect(
      expansion("\(mark)\nstruct S { @Indexed var a: Int }")
        .contains("'@Indexed' needs '@Stored' outside of '#if': the table must be the same"))
    #expect(
      expansion("#if X\n@frozen\n#endif\nstruct S { @Indexed var a: Int }")
        .contains("'@Indexed' has no effect outside a type marked '@Stored'"))
  }

  @Test("the storage that another macro generates may have the attributes of its property")
  func observable() {
    #expect(
      !expansion("final class C { @Indexed @ObservationIgnored private var _a: Int }")
        .contains("has no effect"))
    let stored = expansion("@Stored final class C { @ObservationIgnored var a: Int = 1 }")
    #expect(stored.contains("\"a\"") && !stored.contains("is wrapped by"))
  }
}
