import Foundation
import ObjectVaultCore
@testable import ObjectVaultTool
import ObjectVaultEngine
import ObjectVaultSession
import ObjectVaultStores
import TestSupport
import Testing

@Suite("objectvault classes") struct ClassesTests {
  @Test("shows classes, properties, types, objectIDs, indexes and how many objects there are")
  func table() throws {
    let tool = try TestTool()
    let vault = try tool.opened()
    let description = ClassDescription(
      "Student", table: "students",
      properties: [
        PropertyDescription("name", type: .string),
        PropertyDescription("age", column: "years", type: .int, isOptional: true),
        PropertyDescription("tags", type: .json),
      ],
      indexes: [IndexDescription(["age"]), IndexDescription(["name", "age"], unique: true)])
    _ = try vault.store(of: description)
    let facts = try vault.cipherInfo()
    vault.close()
    let engine = try Engine.prove()
    let result = try tool.run("classes")
    let shell =
      engine.cipherMajor < 4
      ? "In the sqlcipher shell of this version, run after PRAGMA key: "
        + "PRAGMA cipher_page_size = 4096;\n"
      : ""
    #expect(
      result.output == """
        \(tool.vault): cipher format \(facts.format), pages of 4096 bytes (SQLCipher \
        \(engine.cipherVersion))
        \(shell)
        Student: 0 objects, table 'students', objectID generated
        property  type    column  notes
        --------  ------  ------  -------
        name      String
        age       Int?    years   indexed
        tags      JSON
        unique index over name, age

        """, "\(result.errors)")
  }

  @Test("lists tables that cannot be classes apart, with their rows, and says why")
  func otherTables() throws {
    let folder = try TemporaryFolder()
    let file = ForeignFile(path: folder.file("foreign.db"))
    try file.make("words", rows: 3)
    let result = try TestTool.bare(
      ["classes", file.path, "--key-env", "K"], environment: ["K": "words"])
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("\nnote: 1 object\n"), "\(result.output)")
    #expect(result.output.contains("cannot be used as classes"), "\(result.output)")
    let reason = "it has no primary key, so its rows have no object ID"
    #expect(result.output.hasSuffix("\n  filler: 3 rows; \(reason)\n"), "\(result.output)")
    #expect(!result.output.contains("No classes"))
    let json = try TestTool.bare(
      ["classes", file.path, "--key-env", "K", "--format", "json"], environment: ["K": "words"])
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let tables = try #require(object["otherTables"] as? [[String: Any]])
    #expect(tables.count == 1)
    #expect(tables.first?["name"] as? String == "filler" && tables.first?["rows"] as? Int == 3)
    #expect(tables.first?["reason"] as? String == reason)
  }

  @Test("is not stopped by a class whose table another program dropped")
  func droppedTable() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("school.vault")
    let vault = try Vault(at: path, key: .passphrase("words"))
    let student = ClassDescription(
      "Student", properties: [PropertyDescription("name", String.self)])
    _ = try vault.store(of: student)
    _ = try vault.store(
      of: ClassDescription("Room", properties: [PropertyDescription("floor", Int.self)]))
    try vault.opened().withWriter { try $0.execute("DROP TABLE Room") }
    vault.close()
    let result = try TestTool.bare(
      ["classes", path, "--key-env", "K"], environment: ["K": "words"])
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("\nStudent: 0 objects, "), "\(result.output)")
    #expect(!result.output.contains("\nRoom: "))
    let reason =
      "the file describes class 'Room', but its table is missing, and a program that requests the "
      + "class's store creates it again"
    #expect(result.output.hasSuffix("\n  Room: 0 rows; \(reason)\n"), "\(result.output)")
    let again = try Vault(at: path, key: .passphrase("words"))
    #expect(try again.classes().map(\.name) == ["Student"])
    let error = #expect(throws: VaultError.self) { try again.store(named: "Room") }
    #expect(error?.code == .noSuchClass)
    #expect(error?.message.contains("its table 'Room' is missing") == true)
  }

  @Test("is not stopped by a table whose columns no class can have")
  func otherColumns() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("foreign.db")
    let columns = (0..<990).map { "c\($0) INTEGER" }.joined(separator: ", ")
    _ = try CipherShell.run(
      path,
      [
        "PRAGMA key='words';", "CREATE TABLE good(id INTEGER PRIMARY KEY, name TEXT);",
        "CREATE TABLE odd(id INTEGER PRIMARY KEY, \"\" TEXT);",
        "INSERT INTO odd VALUES(1, 'a');",
        "CREATE TABLE wide(id INTEGER PRIMARY KEY, \(columns));",
      ])
    chmod(path, 0o600)
    func run(_ arguments: String...) throws -> ChildProcess {
      try TestTool.bare(arguments + ["--key-env", "K"], environment: ["K": "words"])
    }
    let result = try run("classes", path)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("\ngood: 0 objects\n"), "\(result.output)")
    #expect(
      result.output.hasSuffix(
        """
          odd: 1 row; the column of property '' is empty
          wide: 0 rows; it has 991 properties

        """), "\(result.output)")
    let query = try run("query", path, "odd")
    #expect(
      query.errors.contains(
        "Table 'odd' of '\(path)' cannot be used as a class: the column of property '' is empty."),
      "\(query.errors)")
    #expect(query.code == 66)
  }

  @Test("shows what a class says of its table and columns, of references and words")
  func definitions() throws {
    let tool = try TestTool()
    let vault = try tool.opened()
    let room = ClassDescription(
      "Room",
      properties: [PropertyDescription("name", type: .string).columnDefined(length: .declared(9))],
      objectID: ["name"], options: TableOptions(columnOrder: .keysFirst, withoutRowID: true))
    let person = ClassDescription(
      "Person",
      properties: [
        PropertyDescription("name", type: .string).columnDefined(length: .atMost(40)),
        PropertyDescription("born", type: .date).columnDefined(type: "DATETIME"),
        PropertyDescription("age", type: .int).columnDefined(constraints: "CHECK (\"age\" >= 0)"),
        PropertyDescription("room", type: .string, isOptional: true),
      ],
      references: [
        ReferenceDescription(
          "room", properties: ["room"], target: "Room", targetColumns: ["name"], onDelete: .nullify)
      ],
      search: SearchDescription(["name"]),
      options: TableOptions(columnOrder: .listed(["age"]), insertionTime: true))
    _ = try vault.store(of: room)
    _ = try vault.store(of: person)
    vault.close()
    let result = try tool.run("classes")
    let shown = result.output.split(separator: "\n\n", maxSplits: 1).last
    #expect(
      shown == """
        Person: 0 objects, objectID generated
        property  type     column  notes
        --------  -------  ------  -----------------
        name      String           at most 40
        born      Date             declared DATETIME
        age       Int
        room      String?
        room refers to table 'Room', on delete nullify
        age: CHECK ("age" >= 0)
        full-text index (fts4) over name
        first columns: age
        stores insertion times

        Room: 0 objects
        property  type    column  notes
        --------  ------  ------  ------------------
        name      String          objectID, length 9
        key columns come first
        without rowid

        """, "\(result.errors)")
  }

  @Test("as JSON it keeps its form")
  func json() throws {
    let tool = try TestTool.withVault()
    try tool.fill("T", #"[{"a":1,"b":null}]"#, "t.json", "--object-id", "a")
    let engine = try Engine.prove()
    let result = try tool.run("classes", "--format", "json")
    let shell =
      engine.cipherMajor < 4 ? "[\n    \"PRAGMA cipher_page_size = 4096;\"\n  ]" : "[]"
    #expect(
      result.output == """
        {
          "vault": "\(tool.vault)",
          "cipher": {
            "format": \(engine.newestCipherFormat),
            "pageSize": 4096,
            "header": "encrypted"
          },
          "engine": {
            "version": "\(engine.cipherVersion)",
            "newestFormat": \(engine.newestCipherFormat)
          },
          "shell": \(shell),
          "classes": [
            {
              "name": "T",
              "table": "T",
              "objectID": [
                "a"
              ],
              "properties": [
                {
                  "name": "a",
                  "column": "a",
                  "type": "Int"
                },
                {
                  "name": "b",
                  "column": "b",
                  "type": "String",
                  "optional": true
                }
              ],
              "indexes": [],
              "rows": 1
            }
          ]
        }

        """, "\(result.errors)")
  }

  @Test("the statements for the stock shell are those that each version needs")
  func shellStatements() {
    func needed(_ format: Int, _ pageSize: Int, _ major: Int) -> String {
      ShellStatements.needed(format: format, pageSize: pageSize, engineMajor: major)
        .joined(separator: " ")
    }
    #expect(needed(3, 1024, 3) == "")
    #expect(needed(3, 4096, 3) == "PRAGMA cipher_page_size = 4096;")
    #expect(needed(2, 1024, 3) == "PRAGMA kdf_iter = 4000;")
    #expect(needed(1, 1024, 3) == "PRAGMA cipher_use_hmac = OFF; PRAGMA kdf_iter = 4000;")
    #expect(needed(4, 4096, 4) == "")
    #expect(needed(4, 8192, 4) == "PRAGMA cipher_page_size = 8192;")
    #expect(needed(3, 1024, 4) == "PRAGMA cipher_compatibility = 3;")
    #expect(
      needed(3, 4096, 4) == "PRAGMA cipher_compatibility = 3; PRAGMA cipher_page_size = 4096;")
  }
}
