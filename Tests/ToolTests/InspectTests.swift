import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@testable import ObjectVaultTool

@Suite("objectvault inspect") struct InspectTests {
  /// Two rooms with 25 seats in one of them.
  private func filled() throws -> TestTool {
    let tool = try TestTool.withVault()
    let vault = try tool.opened()
    defer { vault.close() }
    let room = ClassDescription(
      "Room", properties: [.init("name", type: .string), .init("note", type: .string)],
      objectID: ["name"],
      owned: [.init("seats", target: "Seat", reference: "room", sortedBy: ["number"])])
    let seat = ClassDescription(
      "Seat",
      properties: [.init("number", type: .int64), .init("room", type: .string, isOptional: true)],
      references: [.init("room", target: "Room", targetColumns: ["name"], onDelete: .cascade)])
    let rooms = try vault.store(of: room, with: [seat])
    for name in ["A", "B"] {
      var object = try DynamicObject(of: room)
      try object.set("name", to: .text(name))
      try object.set("note", to: .text(String(repeating: "long ", count: 20) + "\u{1B}[31m"))
      try rooms.insert(object)
    }
    let seats = try vault.store(of: seat)
    for number in 1...25 {
      var object = try DynamicObject(of: seat)
      try object.set("number", to: .integer(Int64(number)))
      try object.set("room", to: number == 25 ? .null : .text("A"))
      try seats.insert(object)
    }
    return tool
  }

  private func inspect(_ tool: TestTool, _ lines: String...) throws -> ChildProcess {
    try tool.run("inspect", input: .pipe(Array((lines.joined(separator: "\n") + "\n").utf8)))
  }

  @Test("lists classes and shows their objects page by page", .covers("J67"))
  func pages() throws {
    let tool = try filled()
    let result = try inspect(
      tool, "classes", "", "size 10", "list Seat number > 2", "sort -number", "next", "next",
      "previous", "where number == 7", "count", "quit", "classes")
    #expect(result.code == 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(4) == ["class  objects", "-----  -------", "Room         2", "Seat        25"])
    let pages = lines.filter { $0.contains("page") }
    #expect(
      pages == [
        "23 objects, page 1 of 3", "23 objects, page 1 of 3", "23 objects, page 2 of 3",
        "23 objects, page 3 of 3", "23 objects, page 2 of 3",
      ])
    #expect(lines.suffix(2) == ["1 object", "1 object"])
    #expect(lines.contains(" 1        25      25"), "\(result.output)")
    #expect(lines.filter { $0.hasPrefix("class") }.count == 1)
  }

  @Test("shows an object whole and goes on to those it belongs to", .covers("J67"))
  func neighbours() throws {
    let tool = try filled()
    let result = try inspect(
      tool, "list Room name == 'A'", "show 1", "follow 1 seats", "where number > 23", "show 1",
      "follow 1 room", "back", "back", "list Seat room == nil", "show 1")
    #expect(result.code == 0, "\(result.errors)")
    let note = String(repeating: "long ", count: 20) + #"\u{1B}[31m"#
    #expect(result.output.contains("name: A\nnote: \(note)\n<- seats: 24 objects\n"))
    #expect(result.output.contains("24 objects, page 1 of 2\n"))
    #expect(result.output.contains("objectID: 24\nnumber: 24\nroom: A\n-> room: Room\n"))
    #expect(result.output.hasSuffix("objectID: 25\nnumber: 25\nroom: nil\n"), "\(result.output)")
    // Twice the room, and twice the seat that led to it.
    #expect(result.output.components(separatedBy: "24  A").count - 1 >= 2)
  }

  @Test("a script ends at its first mistake, which names what would be right")
  func mistakes() throws {
    let tool = try filled()
    for (line, status, text) in [
      ("dance", 64, "'dance' is not a command"), ("next", 64, "with 'list CLASS'"),
      ("list", 64, "name of a class"), ("list Nothing", 66, "Nothing"),
      ("list 'Room", 64, "quote (') is missing"),
      ("list Room nam == 'A'", 64, "Did you mean 'name'"),
      ("page x", 64, "'x' is not the number of a page"), ("page 0", 64, "1 or more"),
      ("size 100000", 64, "at most 1000"), ("show 1", 64, "with 'list CLASS'"),
      ("quit now", 64, "'quit' does not accept 'now'"), ("back", 64, "There is no earlier list"),
      ("list Room\npage 9", 64, "Page 1 is the last one"),
      ("list Room\nshow 3", 64, "numbers 1 to 2"),
      ("list Room\nwhere name == 'x'\nshow 1", 64, "no object on this page"),
      ("list Room\nfollow 1 nobody", 64, "It has 'seats'"),
      ("list Room\nsearch x", 64, "has no full-text index"), ("list Room\nsort nam", 64, "nam"),
    ] as [(String, Int32, String)] {
      let result = try inspect(tool, line, "classes")
      #expect(result.code == status, "\(line): \(result.errors)")
      #expect(result.errors.contains(text), "\(line): \(result.errors)")
      #expect(!result.output.contains("class  objects"), "\(line)")
    }
  }

  @Test("The key and the commands cannot both come from standard input")
  func keyOnStandardInput() throws {
    let tool = try filled()
    let key = try tool.read("key")
    for option in [["--key-file", "-"], ["--key-fd", "0"]] {
      let result = try TestTool.bare(
        ["inspect", tool.vault, "--raw-key"] + option, input: .pipe(Array(key.utf8)))
      #expect(result.code == 64)
      #expect(result.errors.contains("both the key and the commands"), "\(result.errors)")
    }
  }

  @Test("A line of a script that is not UTF-8 is an error, and lines may end in CR LF")
  func encoding() throws {
    let tool = try filled()
    let lines = Array("classes\r\nlist Room name == 'A'\r\nlist Room name == '".utf8)
    let result = try tool.run("inspect", input: .pipe(lines + [0xFF, 0x27, 0x0A]))
    #expect(result.code == 64)
    #expect(
      result.errors
        == "objectvault: Line 3 of standard input is not valid UTF-8. Check its encoding.\n")
    #expect(result.output.hasSuffix("1 object\n"), "\(result.output)")
  }

  @Test("a mistake at a terminal is explained, and what was shown stays")
  func conversation() throws {
    let tool = try filled()
    let terminal = try PseudoTerminal(
      ChildProcess.path(of: "objectvault"),
      ["inspect", tool.vault] + tool.keyOptions)
    #expect(terminal.expect("> "))
    #expect(terminal.transcript.contains("Seat        25"))
    terminal.type("list Seat\r")
    #expect(terminal.expect("page 1 of 2"))
    terminal.type("where numbr == 1\r")
    #expect(terminal.expect("Did you mean 'number'"))
    terminal.type("next\r")
    #expect(terminal.expect("page 2 of 2"))
    terminal.type("explain\r")
    #expect(terminal.expect("SELECT"))
    terminal.type("quit\r")
    #expect(terminal.wait() == 0)
    #expect(terminal.transcript.contains("Seat 1> ") && terminal.transcript.contains("Seat 2> "))
  }

  @Test("reads any line without a trap")
  func lines() throws {
    for line in [
      "", " ", "'", "\"\"", "list ''", "show 99999999999999999999", "size -1", "sort", "where",
      "follow 1", "follow 1 'a b'", "l \"a b\" c = 'd'", "\u{0}", "page 1 2", "é",
    ] {
      do { _ = try InspectorCommand(line) } catch { #expect(error is ToolError, "\(line)") }
    }
    #expect(try InspectorCommand("  ") == nil)
    #expect(
      try InspectorCommand("l \"a b\" c = 'd' ") == .list(className: "a b", condition: "c = 'd'"))
    #expect(try InspectorCommand("F 2 'a b'") == .follow(2, "a b"))
    #expect(try InspectorCommand("where") == .filter(nil))
  }

  @Test("A table that has the name of another class is inspected, followed and emptied as itself")
  func exchangedNames() throws {
    let tool = try TestTool.withVault()
    do {
      let vault = try tool.opened()
      defer { vault.close() }
      let former = ClassDescription(
        "Former", table: "Person", properties: [.init("name", type: .string)])
      let person = ClassDescription(
        "Person", table: "People",
        properties: [
          .init("name", type: .string), .init("boss", type: .int64, isOptional: true),
        ],
        references: [.init("boss", target: "Person")])
      var object = try DynamicObject(of: former)
      try object.set("name", to: .text("the boss"))
      try vault.store(of: former).insert(object)
      let people = try vault.store(of: person)
      for name in ["first", "second"] {
        object = try DynamicObject(of: person)
        try object.set("name", to: .text(name))
        try object.set("boss", to: .integer(1))
        try people.insert(object)
      }
    }
    let list = try inspect(tool, "classes")
    #expect(list.output.contains("Former        1"), "\(list.output)\(list.errors)")
    #expect(list.output.contains("Person        2"), "\(list.output)")
    let followed = try inspect(tool, "list Person", "follow 1 boss")
    #expect(followed.output.contains("the boss"), "\(followed.output)\(followed.errors)")
    #expect(try tool.run("query", "Person", "--count").output == "2\n")
    let removal = try tool.run("remove", "Person", "TRUEPREDICATE", "--yes")
    #expect(removal.output == "Removed 2 objects of class 'Person'.\n", "\(removal.errors)")
    #expect(try tool.run("query", "Former", "--count").output == "1\n")
  }

  @Test("An object is shown as it is now, and a removed one is an error", .covers("J67"))
  func presentState() throws {
    let tool = try filled()
    let terminal = try PseudoTerminal(
      ChildProcess.path(of: "objectvault"), ["inspect", tool.vault] + tool.keyOptions)
    #expect(terminal.expect("> "))
    terminal.type("list Room name == 'B'\r")
    #expect(terminal.expect("1 object"))
    let vault = try tool.opened()
    defer { vault.close() }
    let rooms = try vault.store(named: "Room")
    try rooms.where("name == 'B'").update(set: ["note": "changed"])
    terminal.type("show 1\r")
    #expect(terminal.expect("note: changed"))
    try rooms.where("name == 'B'").remove()
    terminal.type("show 1\r")
    #expect(terminal.expect("Object 1 does not exist any more."))
    terminal.type("follow 1 seats\r")
    #expect(terminal.expect("Object 1 does not exist any more."))
    terminal.type("page 1\r")
    #expect(terminal.expect("0 objects"))
    terminal.type("quit\r")
    #expect(terminal.wait() == 0, "\(terminal.transcript)")
  }

  @Test("Objects of two classes with one name are followed by the names of their tables")
  func sameNames() throws {
    let tool = try TestTool.withVault()
    do {
      let vault = try tool.opened()
      defer { vault.close() }
      let room = ClassDescription("Room", properties: [.init("name", type: .string)])
      var object = try DynamicObject(of: room)
      try object.set("name", to: .text("R"))
      try vault.store(of: room).insert(object)
      for (table, count) in [("A", 1), ("B", 2)] {
        let item = ClassDescription(
          "Item", table: table, properties: [.init("room", type: .int64)],
          references: [.init("room", target: "Room")])
        let items = try vault.store(of: item, with: [room])
        for _ in 0..<count {
          object = try DynamicObject(of: item)
          try object.set("room", to: .integer(1))
          try items.insert(object)
        }
      }
    }
    let result = try inspect(tool, "list Room", "show 1", "follow 1 B.room")
    #expect(result.output.contains("<- A.room: 1 object\n<- B.room: 2 objects\n"))
    #expect(result.output.hasSuffix("2 objects\n"), "\(result.output)\(result.errors)")
  }

  #if os(Linux)
    @Test("The values of lists that were shown are not retained") func memory() throws {
      let tool = try TestTool.withVault()
      let photo = ClassDescription("Photo", properties: [.init("data", type: .data)])
      do {
        let vault = try tool.opened()
        defer { vault.close() }
        var object = try DynamicObject(of: photo)
        try object.set("data", to: .blob([UInt8](repeating: 1, count: 4_000_000)))
        try vault.store(of: photo).insert(contentsOf: Array(repeating: object, count: 8))
      }
      let terminal = try PseudoTerminal(
        ChildProcess.path(of: "objectvault"), ["inspect", tool.vault] + tool.keyOptions)
      func list() throws -> Int {
        terminal.type("list Photo\r")
        #expect(terminal.expect("8 objects"))
        let status = try String(
          contentsOfFile: "/proc/\(terminal.process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.split { !$0.isNumber }.joined()))
      }
      #expect(terminal.expect("> "))
      let first = try list()
      for _ in 0..<3 { _ = try list() }
      // Each list has 32 MB of values.
      #expect(try list() - first < 32_000)
      terminal.type("quit\r")
      #expect(terminal.wait() == 0)
    }
  #endif
}
