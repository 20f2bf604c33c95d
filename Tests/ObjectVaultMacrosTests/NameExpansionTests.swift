import Testing

@Suite("The names in what @Stored writes")
struct NameExpansionTests {
  @Test("labels have backquotes only if they need them, because others cause warnings")
  func labels() {
    let memberwise = expansion(
      "@Stored struct S { var `let`: Int; var `inout`: Int; var `1st`: Int; var `_`: Int; "
        + "var a1: Int }"
    )
    #expect(memberwise.contains("let: value0,"))
    #expect(memberwise.contains("`inout`: value1,"))
    #expect(memberwise.contains("`1st`: value2,"))
    #expect(memberwise.contains("`_`: value3,"))
    #expect(memberwise.contains(" a1: value4,"))
    let composite = expansion(
      "@Stored struct S { @ObjectID var `var`: Int; @ObjectID var `inout`: Int; "
        + "@ObjectID var `2`: Int }"
    )
    #expect(composite.contains("init(`var`: Int, `inout`: Int, `2`: Int) {"))
    #expect(
      composite.contains("CompositeID(var: self.`var`, `inout`: self.`inout`, `2`: self.`2`)"))
    #expect(composite.contains("CompositeID(var: .readObjectID("))
  }

  @Test("Self in arguments of attributes is the type")
  func namedSelf() {
    let text = expansion(
      #"""
      @Stored(search: Self.module, history: Self.history)
      final class Tree {
        @Column(converter: Self.Codec<Self>.self) var leaf: Leaf
        @Column(length: .atMost(Self.limit)) @Searchable(tokenizer: Self.tokenizer) var name: String
        @Reference(onDelete: Self.rule) var top: Ref<Self>?
        @Owned(by: \Self.top) var branches: [Self]?
        @Sealed(Self.sealing) var secret: Int?
        @Sealed(by: \Self.name) var other: Int?
      }
      """#)
    #expect(text.contains("converter: Tree.Codec<Tree>.self"))
    #expect(text.contains("ObjectVault.ConvertedProperty<Tree.Codec<Tree>, Leaf>"))
    #expect(text.contains("typealias _Converter0 = Tree.Codec<Tree>"))
    #expect(text.contains("length: .atMost(Tree.limit)"))
    #expect(
      text.contains(#"search: .init(["name"], module: Tree.module, tokenizer: Tree.tokenizer)"#))
    #expect(text.contains("onDelete: Tree.rule"))
    #expect(text.contains(#".many(\.branches, by: \Tree.top)"#))
    #expect(text.contains(".sealed(Tree.sealing)"))
    #expect(text.contains(#".sealed(by: "name")"#))
    #expect(text.contains("options: .init(history: Tree.history)"))
    #expect(!text.contains("Self."))
  }

  @Test("a property with an init accessor has the label of the memberwise initializer")
  func initAccessor() {
    let text = expansion(
      """
      @Stored struct S {
        private var storage: Int
        var value: Int {
          @storageRestrictions(initializes: storage)
          init { storage = newValue }
          get { storage }
        }
      }
      """)
    #expect(text.contains("self.storage = try row.value(at: 0)"))
    #expect(!text.contains("_object(from"))
    #expect(!text.contains(#""value""#))
  }

  @Test(
    "a stored property cannot have a type with the name of the generated type Properties",
    arguments: ["Properties", "Properties?", "[String: Properties]", "[Properties]"])
  func hiddenType(type: String) {
    let text = expansion("@Stored struct S { var a: Int; var p: \(type) }")
    #expect(text.contains("the generated type 'Properties' hides the type of 'p'"))
    let qualified = type.replacing("Properties", with: "Geo.Properties")
    #expect(!expansion("@Stored struct S { var p: \(qualified) }").contains("hides the type"))
  }

  @Test("the extension is available where the type is")
  func availability() {
    let text = expansion(
      """
      @available(macOS 14, *) public enum Outer {
        @available(macOS 15, *) @available(iOS 18, *) @Stored struct Inner { var a: Int }
      }
      """)
    #expect(
      text.contains(
        """
        @available(macOS 15, *)
        @available(iOS 18, *)
        @available(macOS 14, *)
        extension Outer.Inner: ObjectVault.StoredObject
        """))
  }

  @Test("members that use a deprecated property are deprecated, so that they cause no warnings")
  func deprecated() {
    for (type, isInitialized) in [("struct", false), ("final class", true)] {
      let text = expansion(
        "@Stored \(type) S { @available(*, deprecated, renamed: \"b\") var a = 1; var b = 2 }")
      let attribute = "@available(*, deprecated) "
      #expect(text.contains("\(attribute)func encode(into binder"))
      #expect(text.contains("\(attribute)static var propertyNames"))
      #expect(text.contains("\(attribute)init(row: ObjectVault.Row)") == isInitialized)
    }
    let other = expansion("@Stored struct S { @available(macOS 10, *) var a = 1 }")
    #expect(!other.contains("@available(*, deprecated)"))
  }

  @Test("the type is generic in a constrained extension of a generic one")
  func constrainedExtension() {
    let text = expansion(
      #"extension Outer where T: Sendable { @Stored(table: "t") struct Inner { var a: T } }"#)
    #expect(text.contains("static var classDescription: ObjectVault.ClassDescription {"))
  }
}
