import Testing

@Suite("The identity that @Stored writes")
struct IdentityExpansionTests {
  @Test("is the objectID")
  func identity() {
    let generated = expansion("@Stored public struct Leaf { var name: String }")
    #expect(generated.contains("public var id: Swift.Int64? {"))
    #expect(generated.contains("self.objectID"))
    #expect(generated.contains(#"\Leaf.id: "objectID","#))
    #expect(generated.contains("ObjectVault.GeneratesObjectID, Swift.Identifiable {"))
    let bound = expansion("@Stored struct Tree { @ObjectID let code: String }")
    #expect(bound.contains("var id: String {") && bound.contains(#"\Tree.id: "code","#))
    let composite = expansion("@Stored struct Plot { @ObjectID var x: Int; @ObjectID var y: Int }")
    #expect(composite.contains("var id: CompositeID {") && !composite.contains(#"\Plot.id"#))
  }

  @Test("is a property with the name 'id' if that is the objectID")
  func named() {
    let bound = expansion("@Stored struct Bush { @ObjectID var id: Int }")
    #expect(bound.contains("Swift.Identifiable {") && !bound.contains("The objectID."))
    for source in [
      "@Stored public struct Bush { @ObjectID public private(set) var id: Int }",
      "@Stored package struct Bush { @ObjectID package var id: Int }",
    ] {
      #expect(expansion(source).contains("Swift.Identifiable {"), "\(source)")
    }
  }

  @Test(
    "is left to the type",
    arguments: [
      "@Stored struct A { @ObjectID var n: Int; var id: String }",
      "@Stored struct A { @ObjectID var n: Int; var `id`: String { \"\" } }",
      "@Stored struct A { @ObjectID var n: Int; func id() -> String { \"\" } }",
      "@Stored struct A { var n: Int; func `id`() {} }",
      "@Stored struct A { @ObjectID var n: Int\n#if X\nvar m: Int { 1 }\n#endif\n}",
      "@Stored(identifiable: false) struct A { @ObjectID var n: Int }",
      "@Stored struct A { @ObjectID var id: Int! }",
      "@Stored public struct A { @ObjectID var id: Int }",
      "@Stored public struct A { @ObjectID package var id: Int }",
      "@Stored struct A { @ObjectID private var id: Int }",
      "public extension B { @Stored struct A { @ObjectID var id: Int } }",
      "@Stored struct A { struct ID {}; @ObjectID var id: Int }",
      "@Stored struct A { typealias ID = String; var name: String }",
    ])
  func leftOut(source: String) {
    #expect(!expansion(source).contains("Identifiable {"))
    #expect(!expansion(source).contains("The objectID."))
  }

  @Test("can have a nested type ID")
  func nestedType() {
    for source in [
      "@Stored struct A { struct ID {}; @ObjectID var id: ID }",
      "@Stored struct A { typealias ID = Int; @ObjectID var number: Int }",
    ] {
      #expect(expansion(source).contains("Swift.Identifiable {"), "\(source)")
    }
  }

  @Test("needs a literal to be left out")
  func literal() {
    #expect(
      expansion("@Stored(identifiable: flag) struct A { @ObjectID var n: Int }")
        .contains("'identifiable' of 'A' must be a plain literal"))
  }

  @Test(
    "is next to a member with the name 'id' that can have the same name",
    arguments: ["static var id: Int { 1 }", "static func id() {}", "func id(of n: Int) {}"])
  func otherMember(member: String) {
    let text = expansion("@Stored struct A { @ObjectID var n: Int; \(member) }")
    #expect(text.contains("Swift.Identifiable {"))
  }
}
