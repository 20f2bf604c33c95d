import Foundation
import TestSupport
import Testing

@Suite("objectvault conformance") struct ConformanceCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try write(
      "notes/good.yaml",
      """
      format: 1
      description: What holds.
      classes:
        Note:
          properties: {text: String}
      cases:
        - name: a note is kept
          covers: [S1]
          steps:
            - insert: {class: Note, object: {text: a}}
              returns: {objectID: 1, text: a}
          after:
            counts: {Note: 1}
            withoutPlaintext: [Note]
        - name: what was committed survives the death of the process
          covers: [S2]
          steps:
            - insert: {class: Note, object: {text: a}}
            - crash: {}
            - open: {}
            - count: {class: Note}
              returns: 1

      """)
  }

  private func write(_ name: String, _ text: String) throws {
    let url = URL(fileURLWithPath: folder.file(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func writeFailing() throws {
    try write(
      "notes/bad.yaml",
      """
      format: 1
      description: What does not hold.
      classes:
        Note:
          properties: {text: String}
      cases:
        - name: a note is another
          covers: [S3]
          steps:
            - insert: {class: Note, object: {text: a}}
            - find: {class: Note, id: 1}
              returns: {objectID: 1, text: b}

      """)
  }

  private func writeList(_ rows: String) throws {
    try write(
      "acceptance.yaml",
      """
      format: 1
      features:
        sql: Statements.
      groups:
        S: stores
      rows:
      \(rows)

      """)
  }

  private func run(_ arguments: String...) throws -> ChildProcess {
    try TestTool.bare(["conformance", folder.path] + arguments)
  }

  @Test("cases that pass end with 0 and a summary by folder")
  func passing() throws {
    let result = try run()
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains(/notes +2 +0 +0 +0/))
    #expect(result.output.contains(/2 cases: 2 passed; [0-9.]+ s, ObjectVault on SQLCipher \d/))
    #expect(result.errors == "")
  }

  @Test("a case that fails ends with 1, and its place, expected and actual value are shown")
  func failing() throws {
    try writeFailing()
    let result = try run("--jobs", "1")
    #expect(result.code == 1)
    #expect(result.output.contains("FAILED  notes/bad.yaml: a note is another\n"))
    #expect(result.output.contains("notes/bad.yaml:11"))
    #expect(result.output.contains(/expected  .*b.*\n +actual    .*a/))
    #expect(result.output.contains("3 cases: 2 passed, 1 failed; "))
  }

  @Test("every format is written", arguments: ["json", "junit", "tap"])
  func formats(format: String) throws {
    try writeFailing()
    let result = try run("--format", format)
    #expect(result.code == 1)
    switch format {
    case "json":
      let object = try #require(
        JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      #expect((object["totals"] as? [String: Int])?["failed"] == 1)
    case "junit": #expect(result.output.contains(/<testsuites [^>]* tests="3" failures="1"/))
    default: #expect(result.output.contains("\nnot ok 1 - notes/bad.yaml: a note is another\n"))
    }
  }

  @Test("a filter chooses cases, and one that chooses none is an error")
  func filters() throws {
    try writeFailing()
    let result = try run("--filter", "kept", "--filter", "S2")
    #expect(result.code == 0)
    #expect(result.output.contains("2 cases: 2 passed; "))
    #expect(result.output.hasSuffix("; filtered\n"))
    let none = try run("--filter", "nowhere")
    #expect(none.code == 64)
    #expect(none.errors.contains("No case matches the filter"))
    #expect(none.output == "")
  }

  @Test("a fixture that is wrong in itself is named with its line, and nothing is run")
  func broken() throws {
    try write(
      "notes/wrong.yaml",
      """
      format: 1
      description: A misspelt operation.
      cases:
        - name: a case
          covers: [S1]
          steps:
            - insrt: {class: Note, object: {text: a}}

      """)
    let result = try run()
    #expect(result.code == 65)
    #expect(result.output == "")
    #expect(result.errors.contains("notes/wrong.yaml:7: "))
    #expect(result.errors.contains("insrt"))
  }

  @Test("a folder that is missing or holds no fixtures is no input")
  func missing() throws {
    let missing = try TestTool.bare(["conformance", folder.file("nowhere")])
    #expect(missing.code == 66)
    #expect(missing.errors.contains("There is no folder"))
    let empty = try TestTool.bare(["conformance", folder.file("notes")])
    #expect(empty.code == 66)
    #expect(empty.errors.contains("There are no fixtures"))
  }

  @Test(
    "what makes no sense on the command line is refused",
    arguments: [
      ["--jobs", "0"], ["--coverage", "--format", "tap"], ["--filter", ""], ["--testee", ""],
      ["--format", "xml"],
    ])
  func usage(arguments: [String]) throws {
    let result = try TestTool.bare(["conformance", folder.path] + arguments)
    #expect(result.code == 64)
    #expect(result.output == "")
  }

  @Test("coverage is complete when every row is held, open or not applicable")
  func coverage() throws {
    try writeList(
      """
        S1:
          must: One.
        S2:
          must: Two.
        S3:
          must: Three.
          open: sql
      """)
    let result = try run("--coverage")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains(/S: stores +3 +2 +0 +0 +1 +0 +0/))
    #expect(
      result.output.contains("S1  fixtures: One.\n      passed  notes/good.yaml: a note is kept\n"))
    #expect(result.output.contains(/2 cases: 2 passed; [0-9.]+ s, .*\n$/))
    let json = try run("--coverage", "--format", "json")
    #expect(json.code == 0)
    #expect(json.output.contains(#""S3":{"state":"open""#))
  }

  @Test("a row that nothing holds ends with 1, though all cases passed")
  func gap() throws {
    try writeList(
      """
        S1:
          must: One.
        S2:
          must: Two.
        S3:
          must: Three.
        S4:
          must: Four.
          open: sql
      """)
    let result = try run("--coverage")
    #expect(result.code == 1)
    #expect(result.output.contains("Not covered: 1\n  S3  Three.\n"))
    #expect(try run("--coverage", "--filter", "S1").code == 0)
  }

  @Test("a list that is missing, wrong, or lacks a row that a fixture names is refused")
  func list() throws {
    let missing = try run("--coverage")
    #expect(missing.code == 65)
    #expect(missing.errors.contains("acceptance.yaml:1: the file is missing"))
    try writeList("  S1:\n    must: One.\n    open: sql\n")
    let unknown = try run("--coverage")
    #expect(unknown.code == 65)
    #expect(unknown.errors.contains("notes/good.yaml:15: 'covers' names 'S2'"))
  }

  @Test("another program is tested, and another one stores what is given")
  func programs() throws {
    let tool = ChildProcess.path(of: "objectvault")
    let result = try run("--testee", "'\(tool)' testee", "--given-by", "library")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("2 cases: 2 passed; "))
    let broken = try run("--testee", "exit 3")
    #expect(broken.code == 1)
    #expect(broken.output.contains("2 cases: 2 failed; "))
  }

  @Test(
    "A signal ends a run with its testees, and removes the folders of its cases",
    .timeLimit(.minutes(5)), arguments: [SIGTERM, SIGHUP, SIGINT])
  func signal(number: Int32) throws {
    let other = try TemporaryFolder()
    let (temporary, file) = (other.file("temporary"), other.file("testee"))
    try FileManager.default.createDirectory(
      atPath: temporary, withIntermediateDirectories: true)
    let started = try SpawnedProgram.start(
      "/usr/bin/env",
      [
        "TMPDIR=\(temporary)", ChildProcess.path(of: "objectvault"), "conformance",
        folder.path, "--jobs", "1", "--testee",
        "echo $$ >'\(file)~'; mv '\(file)~' '\(file)'; exec sleep 1000",
      ])
    var testee: pid_t?
    while testee == nil, !started.hasEnded {
      testee = (try? String(contentsOfFile: file, encoding: .utf8))
        .flatMap { Int32($0.dropLast()) }
    }
    started.signal(number)
    let (status, exited) = started.wait()
    #expect(exited && status == 128 + number)
    #expect(kill(try #require(testee), 0) != 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
  }
}
