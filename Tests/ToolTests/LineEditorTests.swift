import Foundation
@testable import ObjectVaultTool
import TestSupport
import Testing

@Suite("The line editor") struct LineEditorTests {
  @Test("inserts, moves and removes by characters, words and lines")
  func editing() {
    var line = EditedLine("list Seat")
    line.insert(" x")
    #expect(line.text == "list Seat x" && line.cursor == 11)
    line.remove(.left, by: .character)
    line.remove(.left, by: .character)
    line.move(.left, by: .word)
    #expect(line.cursor == 5)
    line.insert("big")
    #expect(line.text == "list bigSeat")
    #expect(line.remove(.left, by: .word) == "big")
    line.move(.left, by: .line)
    line.remove(.left, by: .character)
    line.move(.right, by: .character)
    line.remove(.right, by: .character)
    #expect(line.text == "lst Seat" && line.cursor == 1)
    line.move(.right, by: .word)
    #expect(line.cursor == 3)
    #expect(line.remove(.right, by: .line) == " Seat")
    line.move(.right, by: .character)
    line.remove(.right, by: .word)
    #expect(line.text == "lst")
  }

  @Test("a mark joins the character before it, and characters of several scalars are one step")
  func characters() {
    var line = EditedLine("e👩‍👩‍👧")
    line.insert("\u{301}")
    line.move(.left, by: .line)
    line.move(.right, by: .character)
    line.insert("\u{301}")
    #expect(line.characters.first == "é" && line.cursor == 1)
    line.move(.right, by: .line)
    line.remove(.left, by: .character)
    #expect(line.text == "é")
  }

  @Test(
    "reads keys as terminals send them",
    arguments: [
      ("a", [.text("a")]), ("é", [.text("é")]), ("😀b", [.text("😀"), .text("b")]),
      ("\r\n", [.enter, .enter]), ("\u{7F}\u{8}", [.backspace, .backspace]),
      ("\u{1}\u{5}\u{1A}", [.control("a"), .control("e"), .control("z")]),
      ("\u{1B}[A\u{1B}OB", [.up, .down]), ("\u{1B}[C\u{1B}OD", [.right, .left]),
      ("\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[4~", [.home, .end, .home, .end]),
      ("\u{1B}[3~", [.delete]), ("\u{1B}[1;5D\u{1B}[1;3C", [.wordLeft, .wordRight]),
      ("\u{1B}b\u{1B}\u{7F}", [.alternate("b"), .control("w")]), ("\u{1B}[99;1u", [.other]),
      ("\u{0}\u{1C}", [.other, .other]), ("\u{1B}", [.endOfInput]), ("\u{1B}[1;", [.endOfInput]),
    ] as [(String, [KeyPress])])
  func keys(bytes: String, expected: [KeyPress]) {
    var rest = Array(bytes.utf8)[...]
    var found: [KeyPress] = []
    while !rest.isEmpty { found.append(KeyPress { rest.popFirst() }) }
    #expect(found == expected)
  }

  @Test("reads any bytes without a trap")
  func anyBytes() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<2000 {
      var rest = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }[...]
      var line = EditedLine()
      while !rest.isEmpty {
        if case .text(let character) = KeyPress({ rest.popFirst() }) {
          line.insert(String(character))
        }
      }
      #expect(line.cursor == line.characters.count)
    }
  }

  // MARK: At a terminal

  private func inspect(_ tool: TestTool, rows: UInt16 = 24) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      "objectvault", ["inspect", tool.vault] + tool.keyOptions, rows: rows, kind: "xterm")
    #expect(terminal.expect("> "))
    return terminal
  }

  private func filled() throws -> TestTool {
    let tool = try TestTool.withVault()
    let rows = (1...40).map { "{\"number\":\($0)}" }.joined(separator: "\n")
    try tool.fill("Seat", rows, "s.jsonl")
    return tool
  }

  @Test("lines are edited, earlier ones come back, and Control-C drops the line only")
  func conversation() throws {
    let terminal = try inspect(try filled())
    // What is typed before the prompt is edited by the terminal itself.
    func answer(_ text: String, at place: SourceLocation = #_sourceLocation) {
      #expect(
        terminal.expect(text) && terminal.expect("> "), "\(terminal.transcript)",
        sourceLocation: place)
    }
    // Left twice, one letter removed, one inserted.
    terminal.type("list Sxat\u{1B}[D\u{1B}[D\u{7F}e\r")
    answer("page 1 of 2")
    terminal.type("quit now and for ever\u{03}")
    answer("^C")
    terminal.type("count\r")
    answer("40 objects")
    // Two up: the listing again.
    terminal.type("\u{1B}[A\u{1B}[A\r")
    answer("page 1 of 2")
    terminal.type("where numbr == 1\r")
    answer("Did you mean 'number'")
    // The mistake comes back and is corrected.
    terminal.type("\u{10}\u{1}\u{1B}f\u{1B}f\u{7F}er\r")
    answer("1 object")
    terminal.type("\u{04}")
    #expect(terminal.wait() == 0)
    #expect(terminal.echoes)
  }

  @Test("output that is longer than the screen waits, and ends when asked to")
  func pager() throws {
    let terminal = try inspect(try filled(), rows: 10)
    terminal.type("list Seat\r")
    #expect(terminal.expect("-- more"))
    #expect(!terminal.transcript.contains("20 objects"))
    terminal.type(" ")
    #expect(terminal.expect("-- more"))
    terminal.type("q")
    #expect(terminal.expect("> "))
    terminal.type("count\r")
    #expect(terminal.expect("40 objects"), "\(terminal.transcript)")
    #expect(!terminal.transcript.contains("page 1 of 2"))
    terminal.type("quit\r")
    #expect(terminal.wait() == 0)
    #expect(terminal.echoes)
  }

  @Test("a signal at the prompt ends the program and restores the terminal")
  func terminated() throws {
    let terminal = try inspect(try filled())
    #expect(!terminal.echoes)
    terminal.signal(SIGTERM)
    let end = terminal.waitForEnd()
    #expect(end == (SIGTERM, false))
    #expect(terminal.echoes)
  }
}
