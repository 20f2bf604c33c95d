import Foundation
import ObjectVaultCore
@testable import ObjectVaultTool
import TestSupport
import Testing

@Suite("objectvault import") struct ImportTests {
  private func properties(_ tool: TestTool, _ name: String) throws -> [String] {
    let vault = try tool.opened()
    defer { vault.close() }
    return try vault.store(named: name).classDescription.properties.map {
      "\($0.name) \($0.type.rawValue)\($0.isOptional ? "?" : "")"
    }
  }

  private func values(_ tool: TestTool, _ name: String) throws -> [[StoredValue]] {
    let vault = try tool.opened()
    defer { vault.close() }
    return try vault.store(named: name).all().map(\.allValues)
  }

  // MARK: What is taken

  @Test("the types of a new class follow from the values in JSON")
  func inference() throws {
    let tool = try TestTool.withVault()
    let text = #"""
      [{"i":1,"d":1,"b":true,"s":"004","j":[1,{"z":null,"a":1.50}],"n":null,"late":null},
       {"i":-9223372036854775808,"d":2.5,"b":false,"s":"","j":{},"n":null,"extra":"x"}]
      """#
    try tool.fill("T", text, "t.json")
    #expect(
      try properties(tool, "T") == [
        "i Int", "d Double", "b Bool", "s String", "j JSON", "n String?", "late String?",
        "extra String?",
      ])
    #expect(
      try values(tool, "T") == [
        [
          .integer(1), .real(1), .integer(1), .text("004"), .text(#"[1,{"a":1.5,"z":null}]"#),
          .null, .null, .null,
        ],
        [
          .integer(.min), .real(2.5), .integer(0), .text(""), .text("{}"), .null, .null,
          .text("x"),
        ],
      ])
  }

  @Test("an array, an object with one array, and JSON Lines give the same objects")
  func forms() throws {
    let tool = try TestTool.withVault()
    try tool.fill("A", #"[{"x":1},{"x":2}]"#, "a.json")
    try tool.fill("B", #"{"about":"b","b":[{"x":1},{"x":2}]}"#, "b.json")
    try tool.fill("C", "{\"x\":1}\n\n{\"x\":2}\n", "c.json")
    try tool.fill("D", "{\"x\":1}\r\n{\"x\":2}", "d.jsonl")
    try tool.fill("E", "x\n1\n2\n", "e.csv")
    try tool.fill("F", "  [ {\"x\" : 1} ,\n {\"x\":2}]\n", "f.data")
    try tool.fill("G", "x\r\n1\r\n2", "g.data")
    for name in ["A", "B", "C", "D", "E", "F", "G"] {
      #expect(try values(tool, name) == [[.integer(1)], [.integer(2)]], "\(name)")
      #expect(try properties(tool, name) == ["x Int"], "\(name)")
    }
  }

  @Test("a pipe and a redirected file serve as standard input, for new classes too")
  func standardInput() throws {
    let tool = try TestTool.withVault()
    for (name, text) in [
      ("A", #"[{"x":1}]"#), ("B", "{\"x\":1}\n{\"x\":1}"), ("C", "x\n1\n"),
    ] {
      let bytes = Array(text.utf8)
      let piped = try tool.run("import", name, "-", input: .pipe(bytes))
      #expect(piped.code == 0, "\(piped.errors)")
      let again = try tool.run("import", name, "-", input: .file(bytes))
      #expect(again.code == 0, "\(again.errors)")
      let count = name == "B" ? 4 : 2
      #expect(
        try values(tool, name) == Array(repeating: [.integer(1)], count: count), "\(name)")
    }
  }

  @Test("an empty CSV field is nil and two quotes are empty text; types follow from the rest")
  func csv() throws {
    let tool = try TestTool.withVault()
    let text = """
      text,number,real,flag,zip,quoted,mixed
      "a, ""b""\nc",1,1.5,true,0123,"7",1
      "",,2,false,99,"8",x

      plain,3,-1e2,true,1,"9",
      """
    try tool.fill("T", text, "t.csv")
    #expect(
      try properties(tool, "T") == [
        "text String", "number Int?", "real Double", "flag Bool", "zip String", "quoted String",
        "mixed String?",
      ])
    #expect(
      try values(tool, "T") == [
        [
          .text("a, \"b\"\nc"), .integer(1), .real(1.5), .integer(1), .text("0123"), .text("7"),
          .text("1"),
        ],
        [.text(""), .null, .real(2), .integer(0), .text("99"), .text("8"), .text("x")],
        [.text("plain"), .integer(3), .real(-100), .integer(1), .text("1"), .text("9"), .null],
      ])
  }

  @Test("a column of one that is empty is a nil, a byte order mark is passed over")
  func csvOneColumn() throws {
    let tool = try TestTool.withVault()
    try tool.fill("T", "\u{FEFF}x\n1\n\n3\n", "t.csv")
    #expect(try values(tool, "T") == [[.integer(1)], [.null], [.integer(3)]])
  }

  @Test("--type says what a value is, with ? that it is optional")
  func types() throws {
    let tool = try TestTool.withVault()
    let text = #"""
      [{"when":"2026-03-01T12:30:00.25+01:00","id":"6f9619ff-8b86-d011-b42d-00c04fc964ff",
        "price":"12.50","blob":"AAEC","small":7,"a:b":"c"}]
      """#
    try tool.fill(
      "T", text, "t.json", "--type", "when:Date", "--type", "id:UUID", "--type", "price:Decimal?",
      "--type", "blob:Data", "--type", "small:UInt8", "--type", "a:b:Character")
    #expect(
      try properties(tool, "T") == [
        "when Date", "id UUID", "price Decimal?", "blob Data", "small UInt8", "a:b Character",
      ])
    #expect(
      try values(tool, "T") == [
        [
          .real(1_772_364_600.25), .text("6F9619FF-8B86-D011-B42D-00C04FC964FF"), .text("12.5"),
          .blob([0, 1, 2]), .integer(7), .text("c"),
        ]
      ])
  }

  @Test("integers are exact to the last digit: 2^53 + 1 stays itself")
  func exactIntegers() throws {
    let tool = try TestTool.withVault()
    try tool.fill("T", #"[{"x":9007199254740993},{"x":9223372036854775807}]"#, "t.json")
    #expect(try values(tool, "T") == [[.integer(9_007_199_254_740_993)], [.integer(.max)]])
    try tool.fill("U", "x\n9007199254740993\n", "u.csv")
    #expect(try values(tool, "U") == [[.integer(9_007_199_254_740_993)]])
  }

  @Test("the objectID is the property named, or several, or a number that is generated")
  func objectIDs() throws {
    let tool = try TestTool.withVault()
    try tool.fill("One", #"[{"a":"x","b":1}]"#, "1.json", "--object-id", "a")
    try tool.fill(
      "Two", #"[{"a":"x","b":1}]"#, "2.json", "--object-id", "b", "--object-id", "a")
    try tool.fill("None", #"[{"a":"x"}]"#, "3.json")
    try tool.fill("Given", #"[{"objectID":41,"a":"x"},{"a":"y","objectID":7}]"#, "4.json")
    let vault = try tool.opened()
    defer { vault.close() }
    #expect(try vault.store(named: "One").classDescription.objectID == .properties([0]))
    #expect(try vault.store(named: "Two").classDescription.objectID == .properties([1, 0]))
    #expect(try vault.store(named: "None").classDescription.objectID == .generated)
    #expect(try vault.store(named: "None").all().map(\.generatedID) == [1])
    #expect(try vault.store(named: "Given").all().map(\.generatedID) == [7, 41])
  }

  @Test("text survives with NUL, quotes and every kind of scalar")
  func text() throws {
    let tool = try TestTool.withVault()
    try tool.fill(
      "T", #"[{"x":"a\u0000b"},{"x":"\ud83d\ude00 'q' \"d\" ; DROP TABLE T"}]"#, "t.json")
    #expect(
      try values(tool, "T") == [
        [.text("a\0b")], [.text("😀 'q' \"d\" ; DROP TABLE T")],
      ])
    try tool.write("x\na\0b\n".utf8 + [], to: "n.csv")
    let csv = try tool.run("import", "N", tool.folder.file("n.csv"))
    #expect(csv.code == 0, "\(csv.errors)")
    #expect(try values(tool, "N") == [[.text("a\0b")]])
  }

  @Test("objects join a class that exists, missing optional properties are nil")
  func existing() throws {
    let tool = try TestTool.withVault()
    try tool.fill("T", #"[{"k":1,"v":"a"},{"k":2}]"#, "1.json", "--object-id", "k")
    let more = try tool.run(
      "import", "T", try tool.write(#"[{"k":3}]"#, to: "2.json"), "--type", "v:String",
      "--object-id", "k")
    #expect(more.output == "Imported 1 object into class 'T'.\n", "\(more.errors)")
    #expect(try values(tool, "T").last == [.integer(3), .null])
  }

  @Test("A table of another program gets objects and nothing else, and its later columns count")
  func foreignTable() throws {
    let folder = try TemporaryFolder()
    let file = ForeignFile(path: folder.file("foreign.db"))
    try file.make("words")
    let records = folder.url.appendingPathComponent("n.json")
    try Data(#"[{"id":7,"body":"imported"}]"#.utf8).write(to: records)
    let result = try TestTool.bare(
      ["import", file.path, "note", records.path, "--key-env", "K"], environment: ["K": "words"])
    #expect(result.output == "Imported 1 object into class 'note'.\n", "\(result.errors)")
    let own = try file.run(
      "words",
      "SELECT 'own tables: ' || count(*) FROM sqlite_master WHERE name LIKE 'objectvault%';",
      "ALTER TABLE note ADD COLUMN later TEXT;", "UPDATE note SET later = 'added';")
    #expect(own.contains("own tables: 0\n"), "\(own)")
    let exported = try TestTool.bare(
      ["export", file.path, "note", "--format", "csv", "--key-env", "K"],
      environment: ["K": "words"])
    #expect(
      exported.output == "id,body,later\n1,kept words,added\n7,imported,added\n",
      "\(exported.errors)")
  }

  @Test("files without objects leave a class that exists as it is")
  func nothing() throws {
    let tool = try TestTool.withVault()
    try tool.fill("T", #"[{"k":1}]"#, "1.json")
    for (text, name) in [("[]", "a.json"), ("", "b.jsonl"), ("k\n", "c.csv")] {
      let result = try tool.run("import", "T", try tool.write(text, to: name))
      #expect(result.output == "Imported 0 objects into class 'T'.\n", "\(result.errors)")
    }
  }

  @Test("A batch is full with 1,000 objects or with 4 MiB")
  func batches() throws {
    let description = ClassDescription("T", properties: [.init("x", type: .string)])
    func count(_ text: String) throws -> Int {
      let object = try DynamicObject(of: description).with("x", .text(text))
      var (batch, count) = (ImportBatch(), 0)
      while !batch.isFull {
        count += 1
        batch.add(object, from: ImportPlace(input: "t.json", unit: .record, number: count))
      }
      return count
    }
    #expect(try count("x") == 1000)
    #expect(try count(String(repeating: "x", count: 1 << 20)) == 4)
  }

  @Test("progress for programs is lines of JSON on standard error")
  func progress() throws {
    let tool = try TestTool.withVault()
    let file = try tool.write("x\n1\n2\n", to: "t.csv")
    let result = try tool.run("import", "T", file, "--progress", "json")
    #expect(
      result.errors == """
        {"phase":"reading","done":6,"total":6}
        {"phase":"importing","done":6,"total":6}

        """)
    let silent = try tool.run("import", "T", file)
    #expect(silent.errors.isEmpty)
  }
}
