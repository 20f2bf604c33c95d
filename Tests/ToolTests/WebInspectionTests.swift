import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@testable import ObjectVaultTool

@Suite("Operations of the inspector's page") struct WebInspectionTests {
  private static let secret = "Zaphod-7f31"

  /// A vault with a room and three seats, and an inspection of it.
  private struct Inspected {
    let tool: TestTool
    let vault: Vault
    let inspection: VaultInspection

    init(isWritable: Bool = false) throws {
      tool = try TestTool.withVault()
      vault = try tool.opened()
      let room = ClassDescription(
        "Room", properties: [.init("name", type: .string), .init("note", type: .string)],
        objectID: ["name"],
        owned: [.init("seats", target: "Seat", reference: "room", sortedBy: ["number"])])
      let seat = ClassDescription(
        "Seat",
        properties: [
          .init("number", type: .int64), .init("room", type: .string, isOptional: true),
          .init("photo", type: .data, isOptional: true),
        ],
        references: [.init("room", target: "Room", targetColumns: ["name"], onDelete: .cascade)])
      let rooms = try vault.store(of: room, with: [seat])
      var object = try DynamicObject(of: room)
      try object.set("name", to: .text(WebInspectionTests.secret))
      try object.set("note", to: .text(String(repeating: "é", count: 500)))
      try rooms.insert(object)
      let seats = try vault.store(of: seat)
      for number in 1...3 {
        var object = try DynamicObject(of: seat)
        try object.set("number", to: .integer(Int64.max - Int64(number)))
        try object.set("room", to: .text(WebInspectionTests.secret))
        try object.set("photo", to: .blob([UInt8](repeating: 0xAB, count: 5_000_000)))
        try seats.insert(object)
      }
      inspection = VaultInspection(vault, isWritable: isWritable, idleLimit: .seconds(600))
    }

    func ask(_ operation: String, _ body: String = "{}", status: Int = 200) throws -> JSONValue {
      let answer = inspection.answer(operation, Array(body.utf8))
      let value = try JSONParser.parse(answer.json)
      #expect(answer.status == status, "\(operation): \(value.compactText.prefix(300))")
      return value
    }

    /// The number of the first object of a class.
    func number(of name: String) throws -> String {
      let page = try ask("objects", #"{"class":"\#(name)"}"#)
      guard case .array(let rows)? = page["rows"], case .number(let number)? = rows[0]["object"]
      else { throw ToolError(.software, "no object") }
      return number
    }
  }

  @Test("Lists contain the beginnings of long values, and whole numbers", .covers("J67"))
  func objects() throws {
    let inspected = try Inspected()
    defer { inspected.vault.close() }
    let page = try inspected.ask(
      "objects", #"{"class":"Seat","sort":[{"name":"number","descending":true}],"size":2}"#)
    #expect(page["total"] == .integer(3) && page["pages"] == .integer(2))
    let text = page.compactText
    #expect(text.contains("\"\(Int64.max - 1)\""))
    #expect(text.contains(#""bytes":5000000,"data":true"#))
    #expect(text.utf8.count < 2000)
    let rooms = try inspected.ask("objects", #"{"class":"Room"}"#).compactText
    #expect(rooms.contains(#""bytes":1000"#) && rooms.utf8.count < 1000)
    // A page beyond the last one is the last one.
    let last = try inspected.ask("objects", #"{"class":"Seat","page":9,"size":2}"#)
    #expect(last["page"] == .integer(2))
  }

  @Test("A property whose name looks like a sort order is the one that a list is sorted by")
  func sortNames() throws {
    let inspected = try Inspected()
    defer { inspected.vault.close() }
    let store = try inspected.vault.store(
      of: ClassDescription(
        "S", properties: [.init("-x", type: .int64), .init("x", type: .int64)]))
    for (first, second) in [(1111, 3333), (2222, 4444)] {
      var object = try DynamicObject(of: store.classDescription)
      try object.set("-x", to: .integer(Int64(first)))
      try object.set("x", to: .integer(Int64(second)))
      try store.insert(object)
    }
    func isReversed(_ sort: String) throws -> Bool {
      let text = try inspected.ask("objects", #"{"class":"S","sort":[\#(sort)]}"#).compactText
      return try #require(text.range(of: "2222")).lowerBound
        < #require(text.range(of: "1111")).lowerBound
    }
    #expect(try !isReversed(#"{"name":"-x"}"#))
    #expect(try isReversed(#"{"name":"-x","descending":true}"#))
    #expect(try isReversed(#"{"name":"x","descending":true}"#))
    _ = try inspected.ask("objects", #"{"class":"S","sort":["-x"]}"#, status: 400)
  }

  @Test("An object has its references and the objects that refer to it", .covers("J67"))
  func associations() throws {
    let inspected = try Inspected()
    defer { inspected.vault.close() }
    let seat = try inspected.ask("object", #"{"object":\#(inspected.number(of: "Seat"))}"#)
    #expect(seat.compactText.contains(#""name":"room","class":"Room","object":"#))
    let number = try inspected.number(of: "Room")
    let room = try inspected.ask("object", #"{"object":\#(number)}"#)
    #expect(room.compactText.contains(#""name":"seats","class":"Seat","count":3"#))
    let seats = try inspected.ask("objects", #"{"from":{"object":\#(number),"way":"seats"}}"#)
    #expect(seats["total"] == .integer(3))
    _ = try inspected.ask("object", #"{"object":999}"#, status: 410)
  }

  @Test("The page receives the defaults of each class as texts for its forms")
  func defaults() throws {
    let inspected = try Inspected()
    defer { inspected.vault.close() }
    let task = ClassDescription(
      "Task",
      properties: [
        .init("title", type: .string),
        .init("state", type: .string, defaultValue: .text("open")),
        .init("isVisible", type: .bool, defaultValue: .integer(1)),
        .init("rank", type: .int64, defaultValue: .integer(7)),
        .init("due", type: .date, isOptional: true, defaultValue: .real(0)),
      ])
    _ = try inspected.vault.store(of: task)
    let defaults = try inspected.ask("vault")["defaults"]
    #expect(
      defaults?["Task"]?.compactText
        == #"{"state":"open","isVisible":"true","rank":"7","due":"1970-01-01T00:00:00Z"}"#)
    #expect(defaults?["Room"] == .object([]))
  }

  @Test("Errors have a position and contain no value")
  func errors() throws {
    let inspected = try Inspected()
    defer { inspected.vault.close() }
    let condition = "nam == '\(Self.secret)'"
    let answer = try inspected.ask(
      "objects", #"{"class":"Room","condition":"\#(condition)"}"#, status: 422)
    #expect(answer["error"]?["offset"] == .integer(0))
    #expect(!answer.compactText.contains(Self.secret))
    _ = try inspected.ask("objects", #"{"class":"Nothing"}"#, status: 404)
    _ = try inspected.ask("nothing", status: 404)
    for body in [
      "", "[]", "{", #"{"class":1}"#, #"{"class":"Room","page":"x"}"#,
      #"{"class":"Room","size":100000}"#,
    ] {
      _ = try inspected.ask("objects", body, status: 400)
    }
  }

  @Test("Completion offers names, operators and the names of associations")
  func completion() throws {
    let inspected = try Inspected()
    defer { inspected.vault.close() }
    func complete(_ text: String) throws -> String {
      try inspected.ask("complete", #"{"class":"Seat","text":"\#(text)"}"#).compactText
    }
    #expect(try complete("nu") == #"{"start":0,"items":[{"text":"number","note":"Int64"}]}"#)
    #expect(try complete("room.no").contains(#"{"text":"note","note":"String"}"#))
    #expect(try complete("number ").contains(#""text":"BETWEEN""#))
    #expect(try complete("number > 1 ").contains(#""text":"AND""#))
    #expect(try complete("room.nothing.") == #"{"start":13,"items":[]}"#)
    #expect(try !complete("room.").contains("@count"))
    #expect(try complete("room.seats.@c").contains(#"{"text":"@count","note":"aggregate"}"#))
    #expect(try complete("number == 'x") == #"{"start":12,"items":[]}"#)
  }

  @Test("A vault that is only read rejects changes")
  func readOnly() throws {
    let inspected = try Inspected()
    defer { inspected.vault.close() }
    let number = try inspected.number(of: "Room")
    let before = try inspected.tool.content()
    for operation in ["insert", "update", "plan", "remove"] {
      _ = try inspected.ask(
        operation, #"{"class":"Room","object":\#(number),"values":{"note":"x"}}"#, status: 403)
    }
    #expect(try inspected.tool.content() == before)
  }

  @Test("With --write objects change, unless another program changed them before")
  func changes() throws {
    let inspected = try Inspected(isWritable: true)
    defer { inspected.vault.close() }
    let inserted = try inspected.ask(
      "insert", #"{"class":"Room","values":{"name":"B","note":"old"}}"#)
    guard case .number(let number)? = inserted["object"] else { throw ToolError(.software, "none") }
    let update = #"{"object":\#(number),"values":{"note":"new"},"before":{"note":"old"}}"#
    _ = try inspected.ask("update", update)
    let conflict = try inspected.ask("update", update, status: 409)
    #expect(conflict.compactText.contains("'note' was changed"))
    _ = try inspected.ask(
      "update", #"{"object":\#(number),"values":{"note":null}}"#, status: 422)
    #expect(try inspected.vault.store(named: "Room").where("note == 'new'").count() == 1)
    #expect(try inspected.ask("plan", #"{"object":\#(number)}"#)["allowed"] == .bool(true))
    _ = try inspected.ask("remove", #"{"object":\#(number)}"#)
    _ = try inspected.ask("object", #"{"object":\#(number)}"#, status: 404)
  }

  @Test("The state differs after a commit, and reading it is not a use")
  func state() throws {
    let inspected = try Inspected(isWritable: true)
    defer { inspected.vault.close() }
    let before = try inspected.ask("state")
    #expect(try inspected.ask("state") == before)
    _ = try inspected.ask("insert", #"{"class":"Room","values":{"name":"B","note":""}}"#)
    #expect(try inspected.ask("state") != before)
    let idle = VaultInspection(inspected.vault, isWritable: false, idleLimit: .milliseconds(300))
    #expect(idle.end == nil)
    usleep(400_000)
    _ = idle.answer("state", Array("{}".utf8))
    _ = idle.answer("vault", Array(#"{"background":true}"#.utf8))
    #expect(idle.end == .idle)
    _ = idle.answer("vault", Array("{}".utf8))
    #expect(idle.end == nil)
  }

  @Test("A query ends at its time limit, and when no one waits for it")
  func limits() throws {
    let inspected = try Inspected()
    defer { inspected.vault.close() }
    let limit = QueryLimit(count: 1, duration: .milliseconds(300))
    let endless: SQLStatement =
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
    for isAbandoned in [false, true] {
      let began = ContinuousClock.now
      #expect(throws: InspectionFailure.self) {
        try limit.run(isAbandoned: { isAbandoned }) { try inspected.vault.rows(endless) }
      }
      #expect(ContinuousClock.now - began < .seconds(5))
    }
    #expect(try limit.run(isAbandoned: { false }) { 1 } == 1)
  }

  @Test("The oldest numbers of objects are dropped")
  func handles() throws {
    let description = ClassDescription("T", properties: [.init("a", type: .int64)], objectID: ["a"])
    let handles = ObjectHandles(capacity: 2)
    let numbers = try (0..<3).map { value -> Int? in
      var object = try DynamicObject(of: description)
      try object.set("a", to: .integer(Int64(value)))
      return handles.number(of: object)
    }
    #expect(numbers == [1, 2, 3])
    #expect(handles.key(1) == nil && handles.key(3)?.id.objectIDParts == [.integer(2)])
  }

  @Test("The program of the server is searched next to the tool and on PATH, and must be safe")
  func program() throws {
    let tool = try TestTool()
    #expect(throws: ToolError.self) {
      try CompanionProgram.inspector.locate(
        besides: tool.folder.file("objectvault"), in: "/nonexistent:.")
    }
    let path = try tool.write("#!/bin/sh\n", to: "objectvault-inspect", mode: 0o755)
    #expect(
      try CompanionProgram.inspector.locate(besides: "/usr/bin/x", in: tool.folder.path) == path)
    #expect(
      try CompanionProgram.inspector.locate(besides: tool.folder.file("objectvault"), in: "")
        == path)
    // A link to the tool itself would start it without end.
    #expect(throws: ToolError.self) {
      try CompanionProgram.inspector.locate(besides: path, in: tool.folder.path)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
    #expect(throws: ToolError.self) {
      try CompanionProgram.inspector.locate(besides: "/usr/bin/x", in: tool.folder.path)
    }
  }

  @Test("inspect --web starts that program with the same arguments, or names what is missing")
  func command() throws {
    let tool = try TestTool.withVault()
    let missing = try TestTool.bare(
      ["inspect", tool.vault, "--web"] + tool.keyOptions, environment: ["PATH": "/nonexistent"])
    #expect(missing.code == 69)
    #expect(missing.errors.contains("Build it with Scripts/inspector"), "\(missing.errors)")
    try ProgramFile.write(
      "#!/bin/sh\necho \"$@\"\n", to: tool.folder.file("objectvault-inspect"), mode: 0o755)
    let started = try TestTool.bare(
      ["inspect", tool.vault, "--web", "--port", "0"] + tool.keyOptions,
      environment: ["PATH": tool.folder.path])
    #expect(started.output.contains("inspect \(tool.vault) --web --port 0 --key-file"))
    for arguments in [["--write"], ["--port", "80"], ["--web", "--idle-limit", "0"]] {
      #expect(try TestTool.bare(["inspect", tool.vault] + arguments).code == 64)
    }
  }
}
