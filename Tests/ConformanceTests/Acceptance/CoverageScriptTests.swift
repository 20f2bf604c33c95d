import Foundation
import TestSupport
import Testing

@Suite("Scripts/coverage") struct CoverageScriptTests {
  private static let rows = """
      S1: {must: One.}
      S2: {must: Two., heldBy: tests}
      S3: {must: Three., heldBy: tests}
      S4: {must: Four., open: sql}
      S5: {must: Five., notApplicable: A reason.}
    """
  private static let tests = """
    @Suite struct A {
      @Test(.covers("S1", "S2")) func b() {}
      @Test(.covers("S3")) func `c d`() {}
    }
    """

  /// Runs the script on a package with one fixture for row S1 and the given list and tests.
  private func run(
    rows: String = Self.rows, covers: String = "[S1]", tests: String = Self.tests,
    _ arguments: String...
  ) throws -> ChildProcess {
    let folder = try TemporaryFolder()
    for (name, text) in [
      ("Fixtures/acceptance.yaml", "rows:\n\(rows)\n"),
      ("Fixtures/notes/a.yaml", "cases:\n  - {name: one, covers: \(covers)}\n"),
      ("Tests/T/A.swift", tests),
    ] {
      let file = folder.url.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return try withExtendedLifetime(folder) { try CoverageScript.run([folder.path] + arguments) }
  }

  /// Returns the names of the tests of each row in a source file.
  private func names(_ source: String) throws -> [String: Set<String>] {
    var names: [String: Set<String>] = [:]
    for line in try run(tests: source, "--names").output.split(separator: "\n") {
      let parts = line.split(separator: "  ", maxSplits: 1).map(String.init)
      if !parts[1].contains(".yaml: ") { names[parts[0], default: []].insert(parts[1]) }
    }
    return names
  }

  @Test("The cases and tests of each row are counted, and listed with --names")
  func counts() throws {
    let run = try run()
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(
      run.output == """
        S1      1 cases    1 tests
        S2      0 cases    1 tests
        S3      0 cases    1 tests
        S4      0 cases    0 tests
        S5      0 cases    0 tests

        """)
    #expect(
      try self.run("--names").output == """
        S1  notes/a.yaml: one
        S1  T.A/b
        S2  T.A/b
        S3  T.A/c d

        """)
  }

  @Test(
    "A row that contradicts its cases and tests is an error",
    arguments: [
      ("S1: {must: One.}", "S1: {must: One., heldBy: tests}", 2, "S1 is covered by a fixture"),
      ("Two., heldBy: tests", "Two.", 3, "S2 is covered by tests alone: add 'heldBy: tests'"),
      ("Two., heldBy: tests", "Two., open: sql", 3, "S2 is open and covered: 'note' must say"),
      ("Two., heldBy: tests", "Two., notApplicable: A.", 3, "S2 does not apply and is covered"),
      ("Four., open: sql", "Four.", 5, "S4 is covered by no fixture and no test"),
      ("Four., open: sql", "Four., heldBy: tests", 5, "S4 has 'heldBy: tests', but no test"),
    ])
  func contradictions(old: String, new: String, line: Int, error: String) throws {
    let rows = Self.rows.replacing(old, with: new)
    #expect(rows != Self.rows)
    let run = try run(rows: rows)
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("Fixtures/acceptance.yaml:\(line): row \(error)"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
  }

  @Test("An open row with a note can be covered")
  func note() throws {
    let rows = Self.rows.replacing("heldBy: tests}", with: "heldBy: tests, open: sql, note: Half.}")
    let run = try run(rows: rows.replacing("One.}", with: "One., open: sql, note: Half.}"))
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("An unknown row in a fixture or test is an error")
  func unknown() throws {
    let fixture = try run(covers: "[S1, S6]")
    #expect(fixture.status == 1)
    #expect(
      fixture.errors == "Fixtures/notes/a.yaml: the case 'one' names the unknown row S6\n")
    let test = try run(tests: Self.tests.replacing(#""S3""#, with: #""S3", "S6""#))
    #expect(test.status == 1)
    #expect(test.errors == "Tests/T/A.swift:3: '.covers' names the unknown row S6\n")
  }

  @Test(
    "A row outside of a test and a row that is no literal are errors",
    arguments: [
      (#"let trait: CoversTrait = .covers("S1")"#, "row S1 belongs to no '@Test' or '@Suite'"),
      (#"@Test(.covers("S1")) let x = 1"#, "row S1 belongs to no '@Test' or '@Suite'"),
      ("@Test(.covers(row)) func e() {}", "does not name its rows by string literals"),
    ])
  func unusable(source: String, error: String) throws {
    let run = try run(tests: "\(Self.tests)\n\(source)\n")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("Tests/T/A.swift:5: '.covers' "), "\(run.errors)")
    #expect(run.errors.contains(error), "\(run.errors)")
  }

  @Test("A folder without an acceptance list is an error")
  func missing() throws {
    let run = try CoverageScript.run([TemporaryFolder().path])
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("error: there is no Fixtures/acceptance.yaml in "))
  }

  @Test("A test is named by target, suite and function")
  func test() throws {
    let found = try names(
      """
      @Suite struct A {
        let x = { 1 }()
        @Test("b", .covers("S1", "S2"), arguments: [f("("), "}"]) func b() { if true {} }
        @Test(.covers("S2")) func `c d`() {}
        @Test func e() {}
      }
      """)
    #expect(found == ["S1": ["T.A/b"], "S2": ["T.A/b", "T.A/c d"]])
  }

  @Test("A suite covers its rows once, also within another suite and in an extension")
  func suite() throws {
    let found = try names(
      """
      @Suite("A", .covers("S1"))
      final class A {
        @Suite(.covers("S2")) enum B { @Test(.covers("S3")) static func c() {} }
      }
      extension A { @Test(.covers("S4")) func d() {} }
      @Test(.covers("S5")) func free() {}
      """)
    #expect(
      found == [
        "S1": ["T.A"], "S2": ["T.A/B"], "S3": ["T.A/B/c"], "S4": ["T.A/d"], "S5": ["T.free"],
      ])
  }

  @Test("Comments and string literals cover nothing")
  func inert() throws {
    let found = try names(
      ##"""
      // @Test(.covers("S1")) func a() {}
      /* @Test(.covers("S1")) /* */ func a() {} */
      struct A {
        let x = "@Test(.covers(\"S1\")) func a() {} {{{"
        let y = #"@Test(.covers("S1")) \#("}" + "\(1)") func a() {} {"#
        let z = """
          @Test(.covers("S1")) func a() {
          """
        @Test("\(x["{"]) is text", .covers("S2")) func b() {}
      }
      """##)
    #expect(found == ["S2": ["T.A/b"]])
  }
}
