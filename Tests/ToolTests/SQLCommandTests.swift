import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("objectvault sql") struct SQLCommandTests {
  private func filled() throws -> TestTool {
    let tool = try TestTool.withVault()
    let people = #"""
      [{"name":"Li","age":20,"note":null},{"name":"Bob","age":7,"note":"x"}]
      """#
    try tool.fill("People", people, "p.json", "--object-id", "name")
    return tool
  }

  @Test("rows come in every format, values as they are stored")
  func formats() throws {
    let tool = try filled()
    let sql =
      "SELECT name, age, note, x'00ff' AS b, 1.5 AS r FROM People WHERE age >= ? ORDER BY age"
    func output(_ format: String) throws -> String {
      try tool.run("sql", sql, "--arg", "7", "--format", format).output
    }
    #expect(
      try output("jsonl") == """
        {"name":"Bob","age":7,"note":"x","b":"AP8=","r":1.5}
        {"name":"Li","age":20,"note":null,"b":"AP8=","r":1.5}

        """)
    #expect(try output("csv") == "name,age,note,b,r\nBob,7,x,AP8=,1.5\nLi,20,,AP8=,1.5\n")
    #expect(try output("table").hasPrefix("name  age  note  b     r\n"))
    let none = ["sql", "SELECT name AS n FROM People WHERE 0", "--format"]
    #expect(try tool.run(none[0], none[1], none[2], "csv").output == "n\n")
    #expect(try tool.run(none[0], none[1], none[2], "json").output == "[]\n")
  }

  @Test("the vault is only read, unless --write says otherwise")
  func writing() throws {
    let tool = try filled()
    let refused = try tool.run("sql", "DELETE FROM People")
    #expect(refused.code == 64 && refused.errors.contains("--write"), "\(refused.errors)")
    #expect(
      try tool.run("sql", "SELECT count(*) AS n FROM People", "--format", "csv").output
        == "n\n2\n")
    let changed = try tool.run("sql", "UPDATE People SET age = age + 1", "--write")
    #expect(changed.output == "Changed 2 rows.\n", "\(changed.errors)")
  }

  @Test("the journal mode can be read, and not set")
  func journalMode() throws {
    let tool = try filled()
    for sql in ["PRAGMA journal_mode", "pragma main.journal_mode;"] {
      let read = try tool.run("sql", sql, "--format", "csv")
      #expect(read.output == "journal_mode\nwal\n", "\(read.errors)")
    }
    let set = try tool.run("sql", "PRAGMA journal_mode = DELETE", "--write")
    #expect(set.code == 64 && set.errors.contains("not available in SQL"), "\(set.errors)")
  }

  @Test("what cannot run ends with status 64 and says why, and no argument shows")
  func refusals() throws {
    let tool = try filled()
    for sql in [
      "SELEC 1", "SELECT 1; SELECT 2", "PRAGMA key", "ATTACH 'x' AS y", "SELECT ?", "",
      "DELETE FROM objectvault_info",
    ] {
      let result = try tool.run("sql", sql, "--write")
      #expect(result.code == 64, "\(sql): \(result.errors)")
    }
    let result = try tool.run("sql", "SELECT name FROM People WHERE", "--arg", "MARKER-33")
    #expect(result.code == 64 && !result.errors.contains("MARKER-33"))
    let twice = try tool.run("sql", "SELECT 1 AS a, 2 AS a", "--format", "json")
    #expect(twice.code == 64 && twice.errors.contains("AS"))
  }
}
