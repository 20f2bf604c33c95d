import Testing

@Suite("What cannot be marked @Stored")
struct TypeDiagnosticsTests {
  @Test("a declaration that is neither a struct nor a final class", arguments: kinds)
  func kind(_ mistake: Mistake) { expect(mistake) }

  static let kinds = [
    Mistake(
      "👉@Stored enum Level { case low }",
      "'@Stored' can only be attached to a struct or a final class; 'Level' is an enumeration; "
        + "with raw values or 'Codable' it can be the type of a stored property",
      fixes: ["remove '@Stored'": "enum Level { case low }"]),
    Mistake(
      "👉@Stored actor Keeper {}",
      "'@Stored' can only be attached to a struct or a final class; 'Keeper' is an actor",
      fixes: ["remove '@Stored'": "actor Keeper {}"]),
    Mistake(
      "👉@Stored protocol Named {}",
      "'@Stored' can only be attached to a struct or a final class; 'Named' is a protocol",
      fixes: ["remove '@Stored'": "protocol Named {}"]),
    Mistake(
      "@Stored class 👉Note {}",
      "class 'Note' must be final to be stored: a subclass's properties would be lost",
      fixes: ["make it 'final'": "@Stored final class Note {}"]),
    Mistake(
      "@Stored open class 👉Note {}",
      "class 'Note' must be final to be stored: a subclass's properties would be lost",
      fixes: ["make it 'public final'": "@Stored public final class Note {}"]),
    Mistake(
      "@Stored 👉@MainActor struct Note {}",
      "'Note' cannot be stored while it is isolated to 'MainActor': "
        + "a vault reads and writes it on other threads",
      fixes: ["remove '@MainActor'": "@Stored struct Note {}"]),
    Mistake(
      "@Stored struct Token: 👉~Copyable { var number: Int }",
      "'Token' cannot be stored: it is '~Copyable', and a vault copies objects"),
  ]

  @Test("not a type that can be copied bit by bit or not")
  func bitwiseCopyable() {
    let text = expansion("@Stored struct Token: ~BitwiseCopyable { var number: Int }")
    #expect(!text.contains("cannot be stored"))
  }

  @Test("a type that its extension cannot name", arguments: hidden)
  func visibility(_ mistake: Mistake) { expect(mistake) }

  static let hidden = [
    Mistake(
      """
      enum School {
        @Stored 👉private struct Room {
          var name: String
        }
      }
      """,
      "'Room' is private to another type, so the generated extension cannot name it: "
        + "make it 'fileprivate'",
      fixes: [
        "make it 'fileprivate'": """
        enum School {
          @Stored fileprivate struct Room {
            var name: String
          }
        }
        """
      ]),
    Mistake(
      """
      enum School {
        private enum Wing {
          @Stored struct 👉Room {
            var name: String
          }
        }
      }
      """,
      "'Room' is inside 'Wing', which is private to another type, so the generated extension "
        + "cannot name it: make 'Wing' 'fileprivate'"),
  ]

  @Test("a declaration with a name that generated code declares or uses", arguments: names)
  func name(_ mistake: Mistake) { expect(mistake) }

  static let names = [
    Mistake(
      """
      @Stored struct S {
        var a: Int
        struct 👉Properties {
        }
      }
      """,
      "'Properties' is the name of a generated type: rename it"),
    Mistake(
      """
      @Stored struct S {
        @ObjectID var a: Int
        @ObjectID var b: Int
        typealias 👉CompositeID = Int
      }
      """,
      "'CompositeID' is the name of a generated type: rename it"),
    Mistake(
      """
      @Stored struct S {
        @ObjectID var a: Int
        enum 👉ObjectIDType {
        }
      }
      """,
      "'ObjectIDType' is the name of a generated type: rename it"),
    Mistake(
      "@Stored struct S { var 👉storedObjectID: Int }",
      "'storedObjectID' is the name of a generated member: rename it"),
    Mistake(
      "@Stored struct S { static let 👉propertyNames = 1 }",
      "'propertyNames' is the name of a generated member: rename it"),
    Mistake(
      "@Stored struct S { var 👉_origin: Int }",
      "'_origin' is the name of a generated member: rename it"),
    Mistake(
      """
      @Stored struct S {
        @ObjectID var a: Int
        @ObjectID var 👉objectIDParts: Int
      }
      """,
      "'objectIDParts' is the name of a generated member: rename it"),
    Mistake(
      "@Stored struct S { var 👉color: [color?] }",
      "'color' is also the name of a type, which generated code uses: rename one of them"),
    Mistake(
      """
      @Stored struct S {
        var 👉color: Int
        enum color {
        }
      }
      """,
      "'color' is also the name of a type, which generated code uses: rename one of them"),
    Mistake(
      "@Stored struct State { var 👉State: Int }",
      "'State' is also the name of a type, which generated code uses: rename one of them"),
    Mistake(
      "@Stored struct S { var 👉ObjectVault: Int }",
      "'ObjectVault' is the name of a module, which generated code uses: rename it"),
    Mistake(
      "@Stored struct S { var 👉`Type`: Int }",
      "'Type' cannot be in a key path, which generated code uses: rename it"),
  ]

  @Test("a table without a name of its own, or with one that is reserved", arguments: tables)
  func table(_ mistake: Mistake) { expect(mistake) }

  static let tables = [
    Mistake(
      "@Stored struct 👉Box<T> {}",
      "'Box' is generic, so its name does not identify one table; use '@Stored(table:)'",
      fixes: ["name the table": #"@Stored(table: "<#table name#>") struct Box<T> {}"#]),
    Mistake(
      #"@Stored(indexes: [["a"]]) struct 👉Box<T> { var a: Int }"#,
      "'Box' is generic, so its name does not identify one table; use '@Stored(table:)'",
      fixes: [
        "name the table":
          ##"@Stored(table: "<#table name#>", indexes: [["a"]]) struct Box<T> { var a: Int }"##
      ]),
    Mistake(
      "struct Outer<T> { @Stored struct 👉Inner {} }",
      "'Inner' is generic, so its name does not identify one table; use '@Stored(table:)'",
      fixes: [
        "name the table": #"struct Outer<T> { @Stored(table: "<#table name#>") struct Inner {} }"#
      ]),
    Mistake(
      "extension Outer where T: Sendable { @Stored struct 👉Inner {} }",
      "'Inner' is generic, so its name does not identify one table; use '@Stored(table:)'",
      fixes: [
        "name the table":
          #"extension Outer where T: Sendable { @Stored(table: "<#table name#>") struct Inner {} }"#
      ]),
    Mistake(
      "@Stored(table: .plural) struct 👉Box<T> {}",
      "'Box' is generic, so its name does not identify one table; use '@Stored(table:)'",
      fixes: ["name the table": #"@Stored(table: "<#table name#>") struct Box<T> {}"#]),
    Mistake(
      "@Stored(table: 👉.plural) struct OVThing {}",
      "the table of 'OVThing' cannot be named 'ov_things': names that begin with 'ov_' are reserved"
    ),
    Mistake(
      "@Stored(table: 👉.singular) struct Thing {}",
      "the table name of 'Thing' must be a plain literal"),
    Mistake(
      "@Stored struct 👉ov_Thing {}",
      "the table of 'ov_Thing' cannot be named 'ov_Thing': names that begin with 'ov_' are reserved",
      fixes: ["name the table": #"@Stored(table: "<#table name#>") struct ov_Thing {}"#]),
    Mistake(
      #"@Stored(table: 👉"SQLite_stat") struct Thing {}"#,
      "the table of 'Thing' cannot be named 'SQLite_stat': names that begin with 'sqlite_' are reserved"
    ),
    Mistake(
      #"@Stored(table: 👉"objectvault_x") struct Thing {}"#,
      "the table of 'Thing' cannot be named 'objectvault_x': "
        + "names that begin with 'objectvault_' are reserved"),
    Mistake(
      #"@Stored(table: 👉"") struct Thing {}"#,
      "the table of 'Thing' cannot be named '': a name needs at least one character"),
    Mistake(
      #"@Stored(table: 👉"a\(1)") struct Thing {}"#,
      "the table name of 'Thing' must be a plain literal"),
  ]

  @Test("a list of properties that they do not agree with", arguments: lists)
  func list(_ mistake: Mistake) { expect(mistake) }

  static let lists = [
    Mistake(
      #"@Stored(only: ["age", 👉"scroe"]) struct S { var age: Int; var score: Int = 0 }"#,
      "'S' has no property 'scroe'; did you mean 'score'?",
      fixes: [
        "replace it with 'score'":
          #"@Stored(only: ["age", "score"]) struct S { var age: Int; var score: Int = 0 }"#
      ]),
    Mistake(
      #"@Stored(only: ["age", 👉"weight"]) struct S { var age: Int }"#,
      "'S' has no property 'weight'"),
    Mistake(
      #"@Stored(only: ["age", 👉"age"]) struct S { var age: Int }"#,
      "'age' is already in this list"),
    Mistake(
      #"@Stored(only: [👉"cache"]) struct S { @Ignored var cache: Int? }"#,
      "'cache' cannot be stored: it is marked '@Ignored'"),
    Mistake(
      #"@Stored(only: [👉"twice"]) struct S { var twice: Int { 2 } }"#,
      "'twice' cannot be stored: it is computed or static"),
    Mistake(
      "@Stored(only: 👉names) struct S { var age: Int = 0 }",
      "the list of stored properties of 'S' must be a plain literal"),
    Mistake(
      "@Stored(only: [👉name]) struct S { var age: Int = 0 }",
      "a stored property must be named by a plain string literal"),
    Mistake(
      #"@Stored(only: ["age"]) struct S { var age: Int; var 👉cache: Int }"#,
      "'cache' is not listed in 'only', so it needs an initial value: "
        + "reading an object does not set it",
      fixes: [
        "add an initial value":
          #"@Stored(only: ["age"]) struct S { var age: Int; var cache: Int = <#initial value#> }"#
      ]),
    Mistake(
      #"@Stored(only: ["age"]) struct S { var age: Int; 👉@Indexed var score: Int = 0 }"#,
      "'score' is not listed in 'only', so '@Indexed' has no effect",
      fixes: [
        "remove '@Indexed'":
          #"@Stored(only: ["age"]) struct S { var age: Int; var score: Int = 0 }"#
      ]),
    Mistake(
      #"@Stored(only: ["a"]) struct S { var a = 0, 👉b = 0 }"#,
      "'b' is not listed in 'only', but 'a' is: declare each property on its own"),
    Mistake(
      #"@Stored(only: ["age"], indexes: [[👉"b"]]) struct S { var age: Int; var b: Int? }"#,
      "'b' cannot be indexed: it is not listed in 'only'"),
  ]

  @Test("an index over what is not stored", arguments: indexes)
  func index(_ mistake: Mistake) { expect(mistake) }

  static let indexes = [
    Mistake(
      #"@Stored(indexes: [["age", 👉"scroe"]]) struct S { var age: Int; var score: Int }"#,
      "'S' has no stored property 'scroe'; did you mean 'score'?",
      fixes: [
        "replace it with 'score'":
          #"@Stored(indexes: [["age", "score"]]) struct S { var age: Int; var score: Int }"#
      ]),
    Mistake(
      #"@Stored(unique: [[👉"weight"]]) struct S { var age: Int }"#,
      "'S' has no stored property 'weight'"),
    Mistake(
      #"@Stored(indexes: [[👉"cache"]]) struct S { @Ignored var cache: Int? }"#,
      "'cache' cannot be indexed: it is marked '@Ignored'"),
    Mistake(
      #"@Stored(indexes: [["age", 👉"age"]]) struct S { var age: Int }"#,
      "'age' is already in this index"),
    Mistake(
      "@Stored(indexes: [👉[]]) struct S { var age: Int }",
      #"an index must be a list of property names, such as '["age", "score"]'"#),
    Mistake(
      "@Stored(indexes: 👉list) struct S { var age: Int }",
      "the list of indexes of 'S' must be a plain literal"),
    Mistake(
      "@Stored(indexes: [[👉name]]) struct S { var age: Int }",
      "an indexed property must be named by a plain string literal"),
  ]

  @Test("in members that the vault would not use", arguments: unused)
  func unusedMember(_ mistake: Mistake) { expect(mistake) }

  private static let uncalled =
    "the vault does not call this function: write 'static func migrate(_ context: "
    + "MigrationContext, from old: Int, to new: Int) throws', or use another name"
  private static let unusedVersion =
    "the vault uses a version only if it is an 'Int': write 'static let version: Int'"

  static let unused = [
    Mistake(
      "@Stored struct S { var a: Int; static func 👉migrate(context: MigrationContext, from old: Int, "
        + "to new: Int) throws {} }", uncalled),
    Mistake(
      "@Stored struct S { var a: Int; func 👉migrate(_ context: MigrationContext, from old: Int, "
        + "to new: Int) throws {} }", uncalled),
    Mistake(
      "@Stored struct S { var a: Int; static func 👉migrate(_ context: MigrationContext, from old: Int, "
        + "to new: Int) async throws {} }", uncalled),
    Mistake("@Stored struct S { var a: Int; static let 👉version: Int64 = 2 }", unusedVersion),
    Mistake("@Stored struct S { var a: Int; static let 👉version = \"2\" }", unusedVersion),
    Mistake(
      "@Stored struct S { var a: Int; static let 👉version = Int64(2) }", unusedVersion),
    Mistake(
      "@Stored struct S { var a: Int; static let 👉version = 2 as Int32 }", unusedVersion),
    Mistake("@Stored struct S { var a: Int; static let 👉version = current }", unusedVersion),
    Mistake(
      "@Stored struct S { var a: Int; static let 👉conversions: PropertyConversion = "
        + "PropertyConversion(\"a\", from: String.self) { Int($0) } }",
      "the vault does not use these conversions: put them into an array"),
    Mistake(
      "@Stored struct S { var a: Int; static let 👉conversions = PropertyConversion(\"a\", "
        + "from: String.self) { Int($0) } }",
      "the vault does not use these conversions: put them into an array"),
  ]

  @Test("not in members that the vault uses, or that have another purpose")
  func used() {
    let source = """
      @Stored struct S {
        var a: Int
        static let version = 2
        static let conversions = [PropertyConversion("a", from: String.self) { Int($0) ?? 0 }]
        static func migrate(_ context: MigrationContext, from old: Int, to new: Int) throws {}
        func migrate(to other: S) {}
      }
      """
    #expect(!expansion(source).contains("the vault does not"))
  }

  @Test(
    "not in a version that is an Int",
    arguments: ["version = 2", "version: Int = current", "version = Int(current)"])
  func version(declaration: String) {
    let generated = expansion("@Stored struct S { var a: Int; static let \(declaration) }")
    #expect(!generated.contains("the vault uses a version"))
  }
}
