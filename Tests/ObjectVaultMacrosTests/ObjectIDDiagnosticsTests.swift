import Testing

@Suite("What @Stored says about an objectID")
struct ObjectIDDiagnosticsTests {
  @Test("that conflicts with the generated one", arguments: clashes)
  func clash(_ mistake: Mistake) { expect(mistake) }

  static let clashes = [
    Mistake(
      "@Stored struct S { var 👉objectID: Int }",
      "'objectID' conflicts with the generated property 'objectID'; "
        + "mark it '@ObjectID' to use it instead, or rename it",
      fixes: ["mark it '@ObjectID'": "@Stored struct S { @ObjectID var objectID: Int }"]),
    Mistake(
      "@Stored struct S { var 👉objectid: Int }",
      "'objectid' conflicts with the generated property 'objectID'; "
        + "mark it '@ObjectID' to use it instead, or rename it",
      fixes: ["mark it '@ObjectID'": "@Stored struct S { @ObjectID var objectid: Int }"]),
    Mistake(
      #"@Stored struct S { @Column("OBJECTID") var 👉number: Int }"#,
      "the column of 'number' conflicts with the generated column 'objectID'"),
  ]

  @Test(
    "is silent about a name in another case without a column",
    arguments: [
      "var objectid: Int { 5 }", "@Ignored var objectid = 5", "static var objectID = 5",
      #"@Column("number") var objectid: Int"#,
    ])
  func noClash(property: String) {
    let text = expansion("@Stored struct S { var a: Int; \(property) }")
    #expect(text.contains("extension S: ObjectVault.StoredObject"))
    #expect(!text.contains("conflicts"))
  }

  @Test(
    "rejects the generated name itself without a column, too",
    arguments: ["var objectID: Int { 5 }", "@Ignored var objectID = 5"])
  func sameName(property: String) {
    let text = expansion("@Stored struct S { var a: Int; \(property) }")
    #expect(text.contains("'objectID' conflicts with the generated property 'objectID'"))
  }

  @Test("that is optional where it cannot be", arguments: optionals)
  func optional(_ mistake: Mistake) { expect(mistake) }

  static let optionals = [
    Mistake(
      "@Stored struct S { @ObjectID var 👉name: String? }",
      "'name' is the objectID, so it can be optional only as 'Int?' or 'Int64?', "
        + "which the vault generates",
      fixes: ["make it 'String'": "@Stored struct S { @ObjectID var name: String }"]),
    Mistake(
      "@Stored struct S { @ObjectID var 👉key: [UInt8]? }",
      "'key' is the objectID, so it can be optional only as 'Int?' or 'Int64?', "
        + "which the vault generates",
      fixes: ["make it '[UInt8]'": "@Stored struct S { @ObjectID var key: [UInt8] }"]),
    Mistake(
      "@Stored struct S { @ObjectID let 👉id: Int? }",
      "'id' must be a 'var': the vault sets it when it generates the objectID",
      fixes: ["make it a 'var'": "@Stored struct S { @ObjectID var id: Int? }"]),
    Mistake(
      "@Stored struct S { @ObjectID var 👉a: Int?; @ObjectID var b: Int }",
      "'a' is part of a composite objectID, so it cannot be optional",
      fixes: ["make it 'Int'": "@Stored struct S { @ObjectID var a: Int; @ObjectID var b: Int }"]),
  ]

  @Test("accepts bytes", arguments: ["[UInt8]", "Array<UInt8>", "Data"])
  func bytes(type: String) {
    let text = expansion("@Stored struct S { @ObjectID var id: \(type) }")
    #expect(text.contains("typealias ObjectIDType = \(type)"))
  }

  @Test("accepts an optional integer", arguments: ["Int", "Int64", "Swift.Int", "Swift.Int64"])
  func integer(type: String) {
    let text = expansion("@Stored struct S { @ObjectID var id: \(type)? }")
    #expect(text.contains("mutating func assignObjectID(_ id: \(type)) {"))
  }

  @Test("of a type that identifies nothing", arguments: types)
  func type(_ mistake: Mistake) { expect(mistake) }

  static let types = [
    ("[String]", "an array"), ("Array<String>", "an array"), ("[UInt8?]", "an array"),
    ("[String: Int]", "a dictionary"), ("Set<UInt8>", "a set"), ("Set<Int>", "a set"),
    ("Double", "a floating-point number"),
    ("Double?", "a floating-point number"),
  ].map { type, what in
    Mistake(
      "@Stored struct S { \(type.hasSuffix("?") ? "👉" : "👉")@ObjectID var it: \(type) }",
      "'it' cannot be an objectID: it is \(what)",
      fixes: ["remove '@ObjectID'": "@Stored struct S { var it: \(type) }"])
  }
}
