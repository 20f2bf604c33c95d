import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("objectvault query") struct QueryTests {
  private func filled() throws -> TestTool {
    let tool = try TestTool.withVault()
    let people = #"""
      [{"name":"Li","age":20,"note":null},{"name":"Bob","age":7,"note":"x"},
       {"name":"Åsa","age":31,"note":""},{"name":"東京","age":7,"note":"line\nbreak\u001b[31m"}]
      """#
    try tool.fill("People", people, "p.json", "--object-id", "name")
    return tool
  }

  @Test("a table is aligned by what a terminal shows, and nothing in it moves the cursor")
  func table() throws {
    let tool = try filled()
    let result = try tool.run("query", "People")
    #expect(
      result.output == #"""
        name  age  note
        ----  ---  ---------------------
        Li     20
        Bob     7  x
        Åsa    31  ""
        東京    7  line\nbreak\u{1B}[31m

        """#, "\(result.errors)")
  }

  @Test("json, jsonl and csv hold whole values")
  func formats() throws {
    let tool = try filled()
    #expect(
      try tool.run("query", "People", "age == 7", "--format", "json").output == #"""
        [
        {"name":"Bob","age":7,"note":"x"},
        {"name":"東京","age":7,"note":"line\nbreak\u001b[31m"}
        ]

        """#)
    #expect(try tool.run("query", "People", "age > 99", "--format", "json").output == "[]\n")
    #expect(
      try tool.run("query", "People", "name == 'Li'", "--format", "jsonl").output
        == "{\"name\":\"Li\",\"age\":20,\"note\":null}\n")
    #expect(
      try tool.run("query", "People", "note != 'x'", "--format", "csv").output
        == "name,age,note\nLi,20,\nÅsa,31,\"\"\n東京,7,\"line\nbreak\u{1B}[31m\"\n")
  }

  @Test("words are searched for in the properties that the class says")
  func search() throws {
    let tool = try filled()
    let vault = try tool.opened()
    var description = try vault.store(named: "People").classDescription
    description.search = SearchDescription(["name", "note"])
    _ = try vault.store(of: description)
    vault.close()
    #expect(
      try tool.run("query", "People", "age > 7", "--search", "asa OR li* OR bob", "--count").output
        == "2\n")
    let refused = try tool.run("query", "People", "--search", "bob OR")
    #expect(refused.code == 64 && refused.errors.contains("term or phrase is missing here"))
    try tool.fill("Other", #"[{"text":"bob"}]"#, "o.json")
    #expect(try tool.run("query", "Other", "--search", "bob").code == 64)
  }

  @Test("sort, offset, length and count mean what the library means")
  func sortAndRange() throws {
    let tool = try filled()
    func names(_ arguments: String...) throws -> String {
      let result = try TestTool.bare(
        ["query", tool.vault, "People", "--format", "csv"] + tool.keyOptions + arguments)
      #expect(result.code == 0, "\(result.errors)")
      return result.output.split(separator: "\n").dropFirst().map { $0.prefix { $0 != "," } }
        .joined(separator: " ").split(separator: "\"").first.map(String.init) ?? ""
    }
    #expect(try names("--sort", "age,-name", "--length", "3", "--offset", "1") == "Bob Li Åsa")
    #expect(try names("--sort", "-age", "--length", "2") == "Åsa Li")
    #expect(try names("--sort=-age", "--sort", "name", "--length", "1") == "Åsa")
    #expect(try names("--length", "0") == "")
    #expect(try tool.run("query", "People", "--count").output == "4\n")
    #expect(try tool.run("query", "People", "age == 7", "--count", "--offset", "1").output == "1\n")
  }

  @Test("A sort order without a property before or after a comma is a usage error")
  func incompleteSort() throws {
    let tool = try filled()
    for sort in ["name,,age", ",name", "name,", ","] {
      let result = try tool.run("query", "People", "--sort", sort)
      #expect(result.code == 64 && result.output.isEmpty)
      #expect(
        result.errors.hasPrefix(
          "objectvault: The sort order '\(sort)' lacks a property before or after a comma. "),
        "\(result.errors)")
    }
  }

  @Test("--arg is compared as it stands: text, numbers, dashes and quotes")
  func arguments() throws {
    let tool = try filled()
    try tool.fill("T", #"[{"x":"a' OR 1=1","n":-5},{"x":"--y","n":6}]"#, "t.json")
    func count(_ arguments: String...) throws -> String {
      let result = try TestTool.bare(
        ["query", tool.vault, "T", "--count"] + tool.keyOptions + arguments)
      return result.output + result.errors
    }
    #expect(try count("x == %@", "--arg", "a' OR 1=1") == "1\n")
    #expect(try count("x == %@", "--arg", "--y") == "1\n")
    #expect(try count("n == %@", "--arg", "-5") == "1\n")
    #expect(try count("n == %@ || x == %@", "--arg", "6", "--arg", "no") == "1\n")
  }

  @Test("a condition that cannot be read is 64 and shows the place")
  func badConditions() throws {
    let tool = try filled()
    let unknown = try tool.run("query", "People", "age > 1 && nmae == 'x'")
    #expect(unknown.code == 64)
    #expect(
      unknown.errors == """
        objectvault: People has no property 'nmae'. Did you mean 'name'?
        age > 1 && nmae == 'x'
                   ^

        """)
    for arguments in [
      ["age >"], ["age > 'abc'"], ["age == %@"], ["age == %@", "--arg", "seven"],
      ["", "--sort", "nmae"], ["TRUEPREDICATE", "--sort", "nmae"],
      ["--sort", "age", "--sort="],
      ["TRUEPREDICATE", "--offset", "-1"], ["TRUEPREDICATE", "--length", "x"],
    ] {
      let result = try TestTool.bare(
        ["query", tool.vault, "People"] + tool.keyOptions + arguments)
      #expect(result.code == 64, "\(arguments): \(result.errors)")
      #expect(result.output.isEmpty)
    }
    let unused = try tool.run("query", "People", "--arg", "5")
    #expect(unused.code == 64)
    #expect(unused.errors.contains("--arg requires a condition with a placeholder %@."))
  }

  @Test("every type has its own form in JSON")
  func types() throws {
    let tool = try TestTool.withVault()
    let text = #"""
      [{"b":true,"i":9223372036854775807,"d":0.1,"t":"2026-03-01T12:30:00+01:00","x":"AP8=",
        "m":"10.50","j":{"b":[1,null],"a":"x"}}]
      """#
    try tool.fill(
      "T", text, "t.json", "--type", "t:Date", "--type", "x:Data", "--type", "m:Decimal")
    #expect(
      try tool.run("query", "T", "--format", "jsonl").output == #"""
        {"objectID":1,"b":true,"i":9223372036854775807,"d":0.1,"t":"2026-03-01T11:30:00Z","x":"AP8=","m":"10.5","j":{"a":"x","b":[1,null]}}

        """#)
  }

  @Test("on a terminal a table fits its width")
  func narrowTerminal() throws {
    let tool = try TestTool.withVault()
    let long = String(repeating: "wide ", count: 40)
    try tool.fill("T", "[{\"a\":1,\"text\":\"\(long)\",\"more\":\"\(long)\"}]", "t.json")
    let terminal = try PseudoTerminal(
      "objectvault", ["query", tool.vault, "T"] + tool.keyOptions, columns: 50)
    #expect(terminal.wait() == 0)
    let lines = terminal.transcript.split(whereSeparator: \.isNewline)
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.count <= 50 }, "\(terminal.transcript)")
    #expect(lines.contains { $0.count == 50 })
    #expect(terminal.transcript.contains("…"))
    // Elsewhere a value is cut too, but not the line.
    let file = try tool.run("query", "T").output.split(separator: "\n")
    #expect(file.count == 3 && file.allSatisfy { $0.count < 160 } && file[2].count > 100)
  }

  @Test("a reader that goes away ends it quietly")
  func closedPipe() throws {
    let tool = try TestTool.withVault()
    let records = (0..<30_000).map { "{\"a\":\($0),\"text\":\"some text to fill the pipe\"}\n" }
    try tool.fill("T", records.joined(), "t.jsonl")
    let result = try SpawnedProgram.runWithClosedOutput(
      "objectvault",
      ["query", tool.vault, "T", "--format", "csv"] + tool.keyOptions)
    #expect(result.code == 0)
    #expect(result.errors.isEmpty, "\(result.errors)")
  }
}

@Suite("objectvault query --explain", .covers("J34")) struct QueryExplainTests {
  private func filled() throws -> TestTool {
    let tool = try TestTool.withVault()
    try tool.fill(
      "People", #"[{"name":"Li","age":20},{"name":"bob","age":7},{"name":"Al","age":7}]"#, "p.json")
    return tool
  }

  @Test("shows what the query becomes and how its objects are found, without a value")
  func explain() throws {
    let tool = try filled()
    let result = try tool.run("query", "People", "age == 7", "--explain")
    #expect(result.code == 0, "\(result.errors)")
    #expect(
      result.output == #"""
        condition:
          age == ? (INTEGER)
        statement:
          SELECT "People"."name", "People"."age", "People"."objectID" FROM "People" WHERE "People"."age" = ? ORDER BY "People".rowid
        values:
          INTEGER
        plan:
          scan People
        rows:
          about 3 read
        an index would help:
          @Indexed var age: Int

        """#)
  }

  @Test("makes the index that would help, and then none would")
  func applyIndex() throws {
    let tool = try filled()
    let first = try tool.run("query", "People", "age == 7", "--apply-index")
    #expect(first.code == 0, "\(first.errors)")
    #expect(
      first.output.hasSuffix(
        "Created an index over age. Declare it, or the program removes it.\n"))
    let second = try tool.run("query", "People", "age == 7", "--apply-index")
    #expect(second.output.contains("search People by index ov_People__age (age=?)"))
    #expect(second.output.hasSuffix("No index was created: none would help.\n"))
  }

  @Test("sorts without regard to case or marks")
  func sortOptions() throws {
    let tool = try filled()
    func names(_ sort: String) throws -> [Substring] {
      try tool.run("query", "People", "--sort", sort, "--format", "csv").output
        .split(separator: "\n").dropFirst().map { $0.split(separator: ",")[1] }
    }
    #expect(try names("name") == ["Al", "Li", "bob"])
    #expect(try names("name[c]") == ["Al", "bob", "Li"])
    #expect(try names("-name[cd]") == ["Li", "bob", "Al"])
  }

  @Test("A property whose name looks like a sort order can be sorted by")
  func sortNames() throws {
    let tool = try TestTool.withVault()
    try tool.fill("S", "\"price, EUR\",-x,x,t[c],t\n1,2,2,b,a\n2,1,1,a,b\n", "s.csv")
    for (sort, expected) in [
      ("-x", "21"), ("--x", "12"), ("x", "21"), ("t[c]", "21"), ("-t[c]", "12"), ("t[c][c]", "21"),
      ("t", "12"), ("price, EUR", "12"), ("-price, EUR", "21"), ("-x,t", "21"), ("t[c],-t", "21"),
    ] {
      let result = try tool.run("query", "S", "--sort=\(sort)", "--format", "csv")
      let ids = result.output.split(separator: "\n").dropFirst().map { $0.prefix(1) }.joined()
      #expect(ids == expected, "\(sort): \(result.errors)")
    }
  }

  @Test("does not go with --count")
  func count() throws {
    #expect(try filled().run("query", "People", "--count", "--explain").code == 64)
  }
}
