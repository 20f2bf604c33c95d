import Testing

@Suite("What @Stored says about a property that cannot be stored as it is")
struct PropertyDiagnosticsTests {
  @Test("the way it is declared", arguments: declarations)
  func declaration(_ mistake: Mistake) { expect(mistake) }

  static let declarations = [
    Mistake(
      "@Stored struct S { let 👉age: Int = 1 }",
      "'age' is a constant with a value, so no stored value can be read into it",
      fixes: [
        "make it a 'var'": "@Stored struct S { var age: Int = 1 }",
        "mark it '@Ignored'": "@Stored struct S { @Ignored let age: Int = 1 }",
      ]),
    Mistake(
      """
      @Stored struct S {
        private var kinds: [Kind]
        👉private enum Kind: String {
          case a
        }
        private enum Other {
          case b
        }
      }
      """,
      "'Kind' is the type of 'kinds', so generated code outside 'S' needs it: make it 'fileprivate'",
      fixes: [
        "make it 'fileprivate'": """
        @Stored struct S {
          private var kinds: [Kind]
          fileprivate enum Kind: String {
            case a
          }
          private enum Other {
            case b
          }
        }
        """
      ]),
    Mistake(
      """
      @Stored struct S {
        @Column(converter: List<Hex>.self) private var x: Colour
        👉private enum Hex {
        }
      }
      """,
      "'Hex' is the converter of 'x', so generated code outside 'S' needs it: make it 'fileprivate'",
      fixes: [
        "make it 'fileprivate'": """
        @Stored struct S {
          @Column(converter: List<Hex>.self) private var x: Colour
          fileprivate enum Hex {
          }
        }
        """
      ]),
    Mistake(
      "@Stored struct S { lazy var 👉area: Int = 1 }",
      "'area' cannot be stored: it is lazy",
      fixes: ["mark it '@Ignored'": "@Stored struct S { @Ignored lazy var area: Int = 1 }"]),
    Mistake(
      "@Stored final class C { weak var 👉parent: C? }",
      "'parent' cannot be stored: it is 'weak' or 'unowned'",
      fixes: ["mark it '@Ignored'": "@Stored final class C { @Ignored weak var parent: C? }"]),
    Mistake(
      "@Stored struct S { @Published var 👉age: Int = 1 }",
      "'age' cannot be stored: it is wrapped by '@Published'",
      fixes: ["mark it '@Ignored'": "@Stored struct S { @Ignored @Published var age: Int = 1 }"]),
    Mistake(
      "@Stored struct S { var 👉(a, b): (Int, Int) }",
      "'(a, b)' cannot be stored: declare each property on its own"),
    Mistake(
      """
      @Stored struct S {
        #if DEBUG
        /// Only for tests.
        var 👉trace: String = ""
        #endif
      }
      """,
      "'trace' cannot be stored inside '#if': the table must be the same in every build",
      fixes: [
        "mark it '@Ignored'": """
        @Stored struct S {
          #if DEBUG
          /// Only for tests.
          @Ignored var trace: String = ""
          #endif
        }
        """
      ]),
    Mistake(
      "@Stored struct S { @Ignored var 👉cache: Int }",
      "'cache' is ignored, so it needs an initial value: reading an object does not set it",
      fixes: [
        "add an initial value": "@Stored struct S { @Ignored var cache: Int = <#initial value#> }"
      ]),
    Mistake(
      "@Stored struct S { @Ignored let 👉cache: Int? }",
      "'cache' is ignored, so it needs an initial value: reading an object does not set it",
      fixes: [
        "add an initial value": "@Stored struct S { @Ignored let cache: Int? = <#initial value#> }"
      ]),
    Mistake(
      "@Stored struct S { @Ignored var 👉cache: Optional<Int> }",
      "'cache' is ignored, so it needs an initial value: reading an object does not set it",
      fixes: [
        "add an initial value":
          "@Stored struct S { @Ignored var cache: Optional<Int> = <#initial value#> }"
      ]),
  ]

  @Test("its type", arguments: types)
  func type(_ mistake: Mistake) { expect(mistake) }

  static let types =
    [
      ("(Int, Int)", "is a tuple"),
      ("[(Int, Int)]", "is a tuple"),
      ("Void", "is a tuple"),
      ("() -> Int", "is a function"),
      ("(@Sendable () -> Int)?", "is a function"),
      ("any Hashable", "is 'any', not a concrete type"),
      ("[String: any Sendable]", "is 'any', not a concrete type"),
      ("some Hashable", "is 'some', not a concrete type"),
      ("Any", "is 'Any', not a concrete type"),
      ("Int.Type", "is a type, not a value"),
      ("Codable & Sendable", "is a composition of protocols"),
    ].map { type, reason in
      Mistake(
        "@Stored struct S { var 👉it: \(type) }", "'it' cannot be stored: its type \(reason)",
        fixes: ["mark it '@Ignored'": "@Stored struct S { @Ignored var it: \(type) }"])
    }

  @Test("its type, when that is left to inference", arguments: inferred)
  func inference(_ mistake: Mistake) { expect(mistake) }

  static let inferred = [
    ("[String]()", "[String]"), ("[String: Int]()", "[String: Int]"), ("Set<Int>()", "Set<Int>"),
    ("Date()", "Date"), ("Date.now", "<#Type#>"), ("[1, 2]", "<#Type#>"), ("-count", "<#Type#>"),
    (".low", "<#Type#>"), ("make()", "<#Type#>"),
  ].map { value, type in
    Mistake(
      "@Stored struct S { var 👉it = \(value) }",
      "'it' needs an explicit type: a macro cannot infer it",
      fixes: ["add ': \(type)'": "@Stored struct S { var it: \(type) = \(value) }"])
  }

  @Test("its column", arguments: columns)
  func column(_ mistake: Mistake) { expect(mistake) }

  static let columns = [
    Mistake(
      "@Stored struct S { var name: String; var 👉Name: String }",
      "'Name' and 'name' would share the column 'Name': SQLite ignores the case of ASCII letters",
      fixes: [
        "name its column":
          #"@Stored struct S { var name: String; @Column("<#column name#>") var Name: String }"#
      ]),
    Mistake(
      #"@Stored struct S { var a: Int; @Column("A") var 👉b: Int }"#,
      "'b' and 'a' would share the column 'A': SQLite ignores the case of ASCII letters"),
    Mistake(
      "@Stored struct S { var 👉ov_x: Int }",
      "the column of 'ov_x' cannot be named 'ov_x': names that begin with 'ov_' are reserved",
      fixes: [
        "name its column": #"@Stored struct S { @Column("<#column name#>") var ov_x: Int }"#
      ]),
    Mistake(
      #"@Stored struct S { @Column(👉"sqlite_x") var x: Int }"#,
      "the column of 'x' cannot be named 'sqlite_x': names that begin with 'sqlite_' are reserved"),
    Mistake(
      #"@Stored struct S { @Column(👉"") var x: Int }"#,
      "the column of 'x' cannot be named '': a name needs at least one character"),
    Mistake(
      "@Stored struct S { @Column(👉name) var x: Int }",
      "the column name of 'x' must be a plain string literal"),
    Mistake(
      "@Stored struct S { @Column(length: .atMost(3)) var 👉x: Ref<S>? }",
      "the column of 'x' cannot be defined: it has the type of the referenced objectID"),
    Mistake(
      #"@Stored struct S { @Column(renamedFrom: "y", type: "CLOB", 👉z) var x: Int }"#,
      "the column name of 'x' must be a plain string literal"),
    Mistake(
      "@Stored(withoutRowID: 👉true) struct S { var x: Int }",
      "'S' has 'withoutRowID' but no property marked '@ObjectID'"),
    Mistake(
      #"@Stored struct S { @Column(renamedFrom: "y", 👉z) var x: Int }"#,
      "the column name of 'x' must be a plain string literal"),
    Mistake(
      "@Stored struct S { 👉@Column() var x: Int }",
      "'@Column' on 'x' has no effect without arguments",
      fixes: ["remove '@Column'": "@Stored struct S { var x: Int }"]),
    Mistake(
      "@Stored struct S { @Indexed(unique: 👉flag) var x: Int }",
      "'unique' of 'x' must be 'true' or 'false'"),
  ]

  @Test("a converter where none can be", arguments: converters)
  func converter(_ mistake: Mistake) { expect(mistake) }

  static let converters = [
    Mistake(
      "@Stored struct S { @Column(converter: 👉Hex) var x: Colour }",
      "name the converter of 'x' by its type, such as 'Converter.self'",
      fixes: [
        "add '.self'": "@Stored struct S { @Column(converter: Hex.self) var x: Colour }"
      ]),
    Mistake(
      "@Stored struct S { @Column(converter: 👉hex) var x: Colour }",
      "name the converter of 'x' by its type, such as 'Converter.self'"),
    Mistake(
      "@Stored struct S { @Column(converter: 👉Hex.self) var x: Ref<S>? }",
      "'x' cannot have a converter: a reference is stored as the referenced objectID"),
    Mistake(
      "@Stored struct S { @ObjectID @Column(converter: 👉Hex.self) var x: Colour }",
      "'x' is the objectID and cannot have a converter: conform its type to "
        + "'ConvertibleToStorable' and 'ObjectIDValue'"),
    Mistake(
      "@Stored struct S { 👉@Column(converter: nil) var x: Int }",
      "'@Column' on 'x' has no effect without arguments",
      fixes: ["remove '@Column'": "@Stored struct S { var x: Int }"]),
  ]

  @Test("a search for words where there are none", arguments: searches)
  func search(_ mistake: Mistake) { expect(mistake) }

  static let searches =
    ["Int", "Date?", "[String]", "Set<String>", "Ref<S>?"].map { type in
      Mistake(
        "@Stored struct S { 👉@Searchable var it: \(type) }",
        "'it' cannot be searchable: only a 'String' can",
        fixes: ["remove '@Searchable'": "@Stored struct S { var it: \(type) }"])
    } + [
      Mistake(
        "@Stored(search: 👉.fts5) struct S { var it: String }",
        "'S' has 'search' but no property marked '@Searchable'"),
      Mistake(
        "@Stored struct S { @Searchable(tokenizer: .words) var a: String; "
          + "👉@Searchable(tokenizer: .trigram) var b: String }",
        "'b' has another tokenizer than 'a': all searchable properties share one index",
        fixes: [
          "remove '@Searchable'":
            "@Stored struct S { @Searchable(tokenizer: .words) var a: String; var b: String }"
        ]),
    ]

  @Test("sharing what is no bytes", arguments: shares)
  func shared(_ mistake: Mistake) { expect(mistake) }

  static let shares =
    ["Int", "String?", "[String]", "Set<Data>", "Ref<S>?", "Date"].map { type in
      Mistake(
        "@Stored struct S { 👉@SharedBlob var it: \(type) }",
        "'it' cannot be shared: only a 'Data' or '[UInt8]' can",
        fixes: ["remove '@SharedBlob'": "@Stored struct S { var it: \(type) }"])
    } + [
      Mistake(
        "@Stored struct S { @Column(length: .atMost(9)) 👉@SharedBlob var it: Data }",
        "'it' cannot be shared: its column has its own definition",
        fixes: [
          "remove '@SharedBlob'": "@Stored struct S { @Column(length: .atMost(9)) var it: Data }"
        ])
    ]

  @Test("sealing what cannot be sealed", arguments: seals)
  func sealed(_ mistake: Mistake) { expect(mistake) }

  static let seals = [
    ("@ObjectID 👉@Sealed var it: String", "it is the objectID"),
    ("👉@Sealed var it: Ref<S>?", "it is a reference, which the file must follow"),
    ("@Searchable 👉@Sealed var it: String", "the full-text index would contain its terms"),
    ("@SharedBlob 👉@Sealed var it: Data", "equal values differ once they are sealed"),
    ("@Column(length: .atMost(9)) 👉@Sealed var it: Data", "its column has its own definition"),
    ("@Indexed 👉@Sealed var it: String", "an index needs '@Sealed(.findable)'"),
  ].map { property, reason in
    Mistake(
      "@Stored struct S { \(property) }", "'it' cannot be sealed: \(reason)",
      fixes: [
        "remove '@Sealed'":
          "@Stored struct S { \(property.replacing("👉@Sealed ", with: "")) }"
      ])
  }

  @Test("an erasable key that cannot be named", arguments: erasableKeys)
  func erasableKey(_ mistake: Mistake) { expect(mistake) }

  static let erasableKeys = [
    (
      #"var k: String; @Sealed(by: 👉\T.k) var it: String?"#,
      #"'it' cannot be sealed: name its key by a property of 'S', such as '\S.key'"#
    ),
    (
      #"var k: String; @Sealed(by: 👉\S.k.count) var it: String?"#,
      #"'it' cannot be sealed: name its key by a property of 'S', such as '\S.key'"#
    ),
    (
      #"var k: String; @Sealed(by: 👉\S.k) var it: String"#,
      "'it' cannot be sealed: its values are unreadable after their key is destroyed; make it optional"
    ),
    (
      #"var k: String; @Sealed(.findable, by: 👉\S.k) var it: String?"#,
      "'it' cannot be sealed: a property with a key of its own cannot be findable; write "
        + "'@Sealed(by:)' alone"
    ),
    (
      #"var k: String?; @Sealed(by: 👉\S.k) var it: String?"#,
      "'k' cannot name a key: it is optional"
    ),
    (
      #"@Sealed var k: String; @Sealed(by: 👉\S.k) var it: String?"#,
      "'k' cannot name a key: it is sealed itself"
    ),
    (
      #"@Sealed(by: 👉\S.k) var it: String?; @Ignored var k = "x""#,
      "'k' cannot name a key: it is not a stored property"
    ),
  ].map { properties, reason in Mistake("@Stored struct S { \(properties) }", reason) }

  @Test("indexing a property that is sealed by an erasable key")
  func erasableIndex() {
    expect(
      Mistake(
        #"@Stored struct S { var k: String; @Indexed 👉@Sealed(by: \S.k) var it: String? }"#,
        "'it' cannot be sealed: an index needs '@Sealed(.findable)'",
        fixes: [
          "remove '@Sealed'": "@Stored struct S { var k: String; @Indexed var it: String? }"
        ]))
  }

  @Test("several mistakes are all reported at once")
  func several() {
    expect(
      Mistake(
        #"@Stored(table: 👉"ov_s", indexes: [[👉"weight"]]) struct S { var age: Int }"#,
        "the table of 'S' cannot be named 'ov_s': names that begin with 'ov_' are reserved",
        "'S' has no stored property 'weight'"))
  }
}
