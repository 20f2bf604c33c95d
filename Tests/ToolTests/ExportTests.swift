import Foundation
import ObjectVaultCore
@testable import ObjectVaultTool
import ObjectVaultTerminal
import TestSupport
import Testing

@Suite("objectvault export") struct ExportTests {
  private func filled() throws -> TestTool {
    let tool = try TestTool.withVault()
    try tool.fill("P", #"[{"name":"Li","age":20},{"name":"a,b","age":null}]"#, "p.json")
    return tool
  }

  @Test("goes to standard output as JSON, or in the form asked for")
  func standardOutput() throws {
    let tool = try filled()
    #expect(
      try tool.run("export", "P").output
        == "[\n{\"objectID\":1,\"name\":\"Li\",\"age\":20},\n"
        + "{\"objectID\":2,\"name\":\"a,b\",\"age\":null}\n]\n")
    #expect(
      try tool.run("export", "P", "--format", "jsonl").output
        == "{\"objectID\":1,\"name\":\"Li\",\"age\":20}\n"
        + "{\"objectID\":2,\"name\":\"a,b\",\"age\":null}\n")
    #expect(
      try tool.run("export", "P", "--format", "csv").output
        == "objectID,name,age\n1,Li,20\n2,\"a,b\",\n")
    #expect(try tool.run("export", "P", "--format", "table").code == 64)
  }

  @Test("--to makes a file of mode 0600 by its suffix, and leaves nothing else behind")
  func file() throws {
    let tool = try filled()
    let before = Set(try FileManager.default.contentsOfDirectory(atPath: tool.folder.path))
    let file = tool.folder.file("out.csv")
    let result = try tool.run("export", "P", "--to", file)
    #expect(result.output == "Exported 2 objects to '\(file)' in plaintext.\n", "\(result.errors)")
    #expect(try tool.read("out.csv").hasPrefix("objectID,name,age\n"))
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let after = Set(try FileManager.default.contentsOfDirectory(atPath: tool.folder.path))
    #expect(
      after.subtracting(before).subtracting(["test.vault-wal", "test.vault-shm"]) == ["out.csv"])
  }

  @Test("a file that exists is replaced with --yes only")
  func overwriting() throws {
    let tool = try filled()
    let file = try tool.write("precious", to: "out.json")
    let refused = try tool.run("export", "P", "--to", file)
    #expect(refused.code == 73)
    #expect(refused.errors.contains("--yes"))
    #expect(try tool.read("out.json") == "precious")
    let replaced = try tool.run("export", "P", "--to", file, "--yes")
    #expect(replaced.code == 0, "\(replaced.errors)")
    #expect(try tool.read("out.json").hasPrefix("["))
  }

  @Test("the vault, its log and a link to it are never written over, not even with --yes")
  func vaultItself() throws {
    let tool = try filled()
    let link = tool.folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: tool.vault)
    let before = try Data(contentsOf: URL(fileURLWithPath: tool.vault))
    for path in [tool.vault, link] {
      let result = try tool.run("export", "P", "--to", path, "--yes")
      #expect(result.code == 64)
      #expect(result.errors.contains("belongs to the vault itself"))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: tool.vault)) == before)
  }

  @Test("The keyring is not overwritten, however it and the vault are named")
  func keyring() throws {
    let tool = try KeyringTool()
    let key = ["--raw-key", "--key-env", "A"]
    let link = tool.folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: tool.vault)
    let keyring = tool.vault + ".keyring"
    let before = try tool.bytes(keyring)
    let result = try tool.run(["export", link, "P", "--to", keyring, "--yes"] + key)
    #expect(result.code == 64)
    #expect(result.errors.contains("belongs to the vault itself"), "\(result.errors)")
    let imported = try tool.run(["import", link, "P", keyring] + key)
    #expect(imported.code == 64)
    #expect(imported.errors.contains("belongs to the vault itself"), "\(imported.errors)")

    let moved = tool.folder.file("moved.keyring")
    try FileManager.default.moveItem(atPath: keyring, toPath: moved)
    try tool.write(Array(before), to: "moved.keyring~")
    for path in [moved, moved + "~"] {
      let result = try tool.run(
        ["export", tool.vault, "P", "--keyring", moved, "--to", path, "--yes"] + key)
      #expect(result.code == 64)
      #expect(result.errors.contains("belongs to the vault itself"), "\(result.errors)")
      #expect(try tool.bytes(path) == before)
    }
  }

  @Test("a device is not replaced by a file, and one that is full is 74")
  func devices() throws {
    let tool = try filled()
    let device = try tool.run("export", "P", "--to", "/dev/null", "--yes")
    #expect(device.code == 73)
    #expect(device.errors.contains("not a regular file"))
    #if os(Linux)
      let full = try SpawnedProgram.run(
        "objectvault", ["export", tool.vault, "P"] + tool.keyOptions, output: "/dev/full")
      #expect(full.code == 74)
      #expect(full.errors.hasPrefix("objectvault: Writing to standard output failed: "))
    #endif
  }

  @Test("what cannot be made is 73, and a class that is not there makes no file")
  func failures() throws {
    let tool = try filled()
    let result = try tool.run("export", "P", "--to", tool.folder.file("no/out.json"))
    #expect(result.code == 73)
    let nobody = try tool.run("export", "Nobody", "--to", tool.folder.file("out.json"))
    #expect(nobody.code == 66)
    #expect(!FileManager.default.fileExists(atPath: tool.folder.file("out.json")))
  }

  @Test(
    "an export that is stopped or killed leaves nothing in plaintext behind",
    arguments: [SIGTERM, SIGKILL])
  func stopped(number: Int32) throws {
    let tool = try TestTool.withVault()
    let vault = try tool.opened()
    let store = try vault.store(
      of: ClassDescription("T", properties: [PropertyDescription("text", type: .string)]))
    let object = try DynamicObject(of: store.classDescription)
      .with("text", .text(String(repeating: "clear ", count: 200)))
    try store.insert(contentsOf: repeatElement(object, count: 20_000))
    vault.close()
    let out = tool.folder.file("out.json")
    func files() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
        .filter { $0.contains("out.json") }
    }
    let program = try SpawnedProgram.start(
      "objectvault", ["export", tool.vault, "T", "--to", out] + tool.keyOptions)
    #if os(Linux)
      // The file has no name until it is complete: it shows among the process's descriptors alone.
      let descriptors = "/proc/\(program.process)/fd"
      func isWriting() -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
        return names.contains { name in
          let target = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "\(descriptors)/\(name)")
          return target.map { $0.contains("/#") && $0.hasSuffix("(deleted)") } ?? false
        }
      }
      while !isWriting(), kill(program.process, 0) == 0 { sched_yield() }
    #else
      while try files().isEmpty { sched_yield() }
    #endif
    program.signal(number)
    let end = program.wait()
    #expect(!end.exited && end.status == number)
    #expect(try files() == [])
  }

  @Test("where a file needs a name it is locked, and the next one removes what a kill left")
  func named() throws {
    let folder = try TemporaryFolder()
    let unfinished = folder.file(".out.json.exporting")
    func isThere() -> Bool { FileManager.default.fileExists(atPath: unfinished) }
    do {
      let file = try NewFile(at: folder.file("out.json"), replacing: false, named: true)
      try file.output.write("plaintext")
      #expect(isThere())
      // One that is being written is not touched.
      #expect(throws: ToolError.self) {
        _ = try NewFile(at: folder.file("out.json"), replacing: false, named: true)
      }
      #expect(isThere())
      try file.commit()
    }
    #expect(!isThere())
    #expect(try String(contentsOfFile: folder.file("out.json"), encoding: .utf8) == "plaintext")
    try Data("left by a kill".utf8).write(to: URL(fileURLWithPath: unfinished))
    let next = try NewFile(at: folder.file("out.json"), replacing: true)
    #expect(!isThere())
    try next.output.write("later")
    try next.commit()
    #expect(!isThere())
    #expect(try String(contentsOfFile: folder.file("out.json"), encoding: .utf8) == "later")
  }

  @Test("CSV marks formulas where that is asked for, and is exact otherwise")
  func formulas() throws {
    let tool = try TestTool.withVault()
    try tool.fill(
      "F", #"[{"text": "=1+1", "number": -5}, {"text": "plain", "number": 2}]"#, "f.json")
    let exact = try tool.run("export", "F", "--format", "csv")
    #expect(exact.output.contains("=1+1"))
    #expect(!exact.output.contains("'="))
    let marked = try tool.run("export", "F", "--format", "csv", "--escape-formulas")
    #expect(marked.output.contains("'=1+1"))
    #expect(marked.output.contains("-5"))
    #expect(!marked.output.contains("'-5"))
    #expect(!marked.output.contains("'plain"))
    let queried = try tool.run("query", "F", "--format", "csv", "--escape-formulas")
    #expect(queried.output.contains("'=1+1"))
    #expect(try tool.run("export", "F", "--escape-formulas").code == 64)
  }

  @Test("CSV marks formulas in every type but numbers")
  func formulasOfOtherTypes() throws {
    let tool = try TestTool.withVault()
    try tool.fill(
      "F", #"[{"link": "=1+1", "bytes": "+Pz8", "price": "-5", "ratio": -2.5, "list": [-1]}]"#,
      "f.json", "--type", "link:URL", "--type", "bytes:Data", "--type", "price:Decimal")
    let exact = try tool.run("export", "F", "--format", "csv")
    #expect(exact.output.hasSuffix("\n1,=1+1,+Pz8,-5,-2.5,[-1]\n"), "\(exact.errors)")
    let marked = try tool.run("export", "F", "--format", "csv", "--escape-formulas")
    #expect(marked.output.hasSuffix("\n1,'=1+1,'+Pz8,-5,-2.5,[-1]\n"), "\(marked.output)")
  }

  @Test("CSV on a terminal has no characters that control it, and a file has them")
  func terminalControls() throws {
    let tool = try TestTool.withVault()
    try tool.fill("C", #"[{"text": "a\u001b[2Jb"}]"#, "c.json")
    let piped = try tool.run("export", "C", "--format", "csv")
    #expect(piped.output.contains("a\u{1B}[2Jb"))
    for command in ["export", "query"] {
      let terminal = try PseudoTerminal(
        "objectvault", [command, tool.vault, "C", "--format", "csv"] + tool.keyOptions)
      #expect(terminal.wait() == 0)
      #expect(!terminal.transcript.contains("\u{1B}"), "\(terminal.transcript)")
      #expect(terminal.transcript.contains("[2Jb"))
    }
  }

  @Test(
    "A value that an import would read as another one is an error that does not show it",
    arguments: [
      ("text", "x'4d4152'"), ("text", "CAST(x'4d4152ff' AS TEXT)"), ("bytes", "'MAR0'"),
      ("bytes", "1234"), ("born", "'2026-03-01T12:30:00Z'"), ("tags", "'MAR'"),
    ])
  func misfits(property: String, value: String) throws {
    let tool = try TestTool.withVault()
    try tool.fill(
      "M",
      #"[{"text":"a"},{"text":"b","bytes":"AP8=","born":"2026-03-01T12:30:00Z","tags":["x"]}]"#,
      "m.json", "--type", "bytes:Data?", "--type", "born:Date?")
    let set = try tool.run("sql", "UPDATE M SET \(property) = \(value) WHERE text = 'b'", "--write")
    #expect(set.output == "Changed 1 row.\n", "\(set.errors)")
    for format in ["json", "jsonl", "csv"] {
      for result in [
        try tool.run("export", "M", "--format", format),
        try tool.run("query", "M", "--format", format),
      ] {
        #expect(result.code == 65)
        #expect(
          result.errors.contains("Property '\(property)' of class 'M'")
            && result.errors.contains("the object with ID 2 "), "\(result.errors)")
        #expect(!result.errors.contains("MAR"))
      }
    }
    // A table for people shows such objects.
    #expect(try tool.run("query", "M").code == 0)
  }

  @Test("The value null of an optional JSON property is exported as CSV, and an error as JSON")
  func jsonNull() throws {
    let tool = try TestTool.withVault()
    try tool.fill("J", "k,v\n1,null\n2,\n", "j.csv", "--type", "v:JSON?")
    #expect(
      try tool.run("export", "J", "--format", "csv").output == "objectID,k,v\n1,1,null\n2,2,\n")
    let result = try tool.run("export", "J")
    #expect(result.code == 65)
    #expect(
      result.errors.contains("object with ID 1 has the value null")
        && result.errors.contains("Use --format csv."), "\(result.errors)")
  }

  @Test("Values of other programs that an import rejects or reads back are exported")
  func foreignValues() throws {
    let tool = try TestTool.withVault()
    for statement in [
      "CREATE TABLE f(id INTEGER PRIMARY KEY, time DATETIME, price NUMERIC, n INTEGER)",
      "INSERT INTO f VALUES(1, '2026-03-01 12:30:00', 2, 'none'), (2, NULL, 2.5, 1.5)",
    ] {
      #expect(try tool.run("sql", statement, "--write").code == 0)
    }
    let result = try tool.run("export", "f", "--format", "csv")
    #expect(
      result.output == "id,time,price,n\n1,2026-03-01 12:30:00,2.0,none\n2,,2.5,1.5\n",
      "\(result.errors)")
    let infinite = try tool.run("sql", "UPDATE f SET time = 'inf' WHERE id = 2", "--write")
    #expect(infinite.code == 0, "\(infinite.errors)")
    #expect(try tool.run("export", "f", "--format", "csv").code == 65)
  }

  @Test("Text of a file in UTF-16 is exported")
  func foreignEncoding() throws {
    let folder = try TemporaryFolder()
    let file = ForeignFile(path: folder.file("foreign.db"))
    try file.run(
      "words", "PRAGMA encoding = 'UTF-16le';",
      "CREATE TABLE note(id INTEGER PRIMARY KEY, body TEXT);",
      "INSERT INTO note VALUES(1, 'é東😀');")
    let result = try TestTool.bare(
      ["export", file.path, "note", "--format", "csv", "--key-env", "K"],
      environment: ["K": "words"])
    #expect(result.output == "id,body\n1,é東😀\n", "\(result.errors)")
  }

  @Test("progress for programs counts objects")
  func progress() throws {
    let tool = try filled()
    let result = try tool.run("export", "P", "--progress", "json")
    #expect(result.errors == "{\"phase\":\"exporting\",\"done\":2,\"total\":2}\n")
  }
}
