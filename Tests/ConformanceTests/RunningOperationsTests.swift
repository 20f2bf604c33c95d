import ObjectVaultConformance
import ObjectVaultConformanceFormat
import Testing

@Suite("The runner's own operations do what they say, and say what they cannot do")
struct RunningOperationsTests {
  /// Steps on files that are there, what is true afterwards, and what is not.
  struct Effect: CustomTestStringConvertible {
    let testDescription: String
    let steps: String
    let after: String
    /// What does not hold afterwards, with the report of it.
    let wrong: String
    let subject: String
    let expected: String
    let actual: String
  }

  static let effects = [
    Effect(
      testDescription: "write", steps: "- write: {path: a, data: abcdef}",
      after: "{path: a, withPlaintext: [abcdef]}", wrong: "{path: a, withPlaintext: [abcdeg]}",
      subject: "a: withPlaintext[0]", expected: "\"abcdeg\" in the bytes", actual: "nowhere"),
    Effect(
      testDescription: "write of data", steps: "- write: {path: a, data: {data: AAEC}}",
      after: "{path: a, withPlaintext: [{data: AQI=}]}",
      wrong: "{path: a, withPlaintext: [{data: AgI=}]}", subject: "a: withPlaintext[0]",
      expected: "{data: \"AgI=\"} in the bytes", actual: "nowhere"),
    Effect(
      testDescription: "overwrite",
      steps: "- write: {path: a, data: abcdef}\n- overwrite: {path: a, at: 1, data: XY}",
      after: "{path: a, withPlaintext: [aXYdef]}", wrong: "{path: a, withPlaintext: [abcdef]}",
      subject: "a: withPlaintext[0]", expected: "\"abcdef\" in the bytes", actual: "nowhere"),
    Effect(
      testDescription: "overwrite from the end",
      steps: "- write: {path: a, data: abcdef}\n- overwrite: {path: a, at: -2, data: XY}",
      after: "{path: a, withPlaintext: [abcdXY]}", wrong: "{path: a, withPlaintext: [abcdef]}",
      subject: "a: withPlaintext[0]", expected: "\"abcdef\" in the bytes", actual: "nowhere"),
    Effect(
      testDescription: "truncate",
      steps: "- write: {path: a, data: abcdef}\n- truncate: {path: a, to: 4}",
      after: "{path: a, withPlaintext: [abcd], withoutPlaintext: [e]}",
      wrong: "{path: a, withPlaintext: [abcd], withoutPlaintext: [d]}",
      subject: "a: withoutPlaintext[0]", expected: "\"d\" nowhere in the bytes",
      actual: "in the file"),
    Effect(
      testDescription: "truncate from the end",
      steps: "- write: {path: a, data: abcdef}\n- truncate: {path: a, to: -4}",
      after: "{path: a, withPlaintext: [ab], withoutPlaintext: [c]}",
      wrong: "{path: a, withPlaintext: [ab], withoutPlaintext: [b]}",
      subject: "a: withoutPlaintext[0]", expected: "\"b\" nowhere in the bytes",
      actual: "in the file"),
    Effect(
      testDescription: "copy",
      steps: "- write: {path: a, data: abc}\n- copy: {from: a, to: b}",
      after: "{path: b, withPlaintext: [abc], files: [a, b]}",
      wrong: "{path: b, withPlaintext: [abc], files: [b]}",
      subject: "b: files", expected: "[\"b\"]", actual: "[\"a\", \"b\"]"),
    Effect(
      testDescription: "copy over a file",
      steps: """
        - write: {path: a, data: abc}
        - write: {path: b, data: longer}
        - copy: {from: a, to: b}
        """,
      after: "{path: b, withPlaintext: [abc], withoutPlaintext: [ger]}",
      wrong: "{path: b, withPlaintext: [longer]}",
      subject: "b: withPlaintext[0]", expected: "\"longer\" in the bytes", actual: "nowhere"),
    Effect(
      testDescription: "copy of a database of the fixtures",
      steps: "- copy: {from: databases/format3-1024.db, to: a}",
      after: "{path: a, key: {passphrase: open sesame}, counts: {note: 40}}",
      wrong: "{path: a, key: {passphrase: open sesame}, counts: {note: 41}}",
      subject: "a: counts.note", expected: "41", actual: "40"),
    Effect(
      testDescription: "delete",
      steps: "- write: {path: a, data: abc}\n- delete: {path: a}",
      after: "{path: a, exists: false, files: []}", wrong: "{path: a, exists: true}",
      subject: "a: exists", expected: "a file", actual: "there is no such file"),
    Effect(
      testDescription: "sql makes a file, and changes one",
      steps: """
        - sql: {statements: ["CREATE TABLE t(a)", "INSERT INTO t VALUES(1)"]}
        - sql: {statements: ["INSERT INTO t VALUES(2), (3)"]}
        """,
      after: "{counts: {t: 3}}", wrong: "{counts: {t: 2}}",
      subject: "main.vault: counts.t", expected: "2", actual: "3"),
    Effect(
      testDescription: "sql with a path and a key",
      steps: "- sql: {statements: [\"CREATE TABLE t(a)\"], path: x, key: {passphrase: pw}}",
      after: "{path: x, key: {passphrase: pw}, counts: {t: 0}, refusedKeys: [{passphrase: pv}]}",
      wrong: "{path: x, key: {passphrase: pw}, counts: {t: 0}, refusedKeys: [{passphrase: pw}]}",
      subject: "x: refusedKeys[0]", expected: "a key that does not open the file",
      actual: "it opens it"),
    Effect(
      testDescription: "sql on a file in an older format",
      steps: """
        - copy: {from: databases/format1-512.db, to: a}
        - sql: {path: a, key: {passphrase: open sesame}, statements: [DELETE FROM pet]}
        """,
      after: "{path: a, key: {passphrase: open sesame}, counts: {pet: 0, note: 40}}",
      wrong: "{path: a, key: {passphrase: open sesame}, counts: {pet: 2}}",
      subject: "a: counts.pet", expected: "2", actual: "0"),
  ]

  @Test("The effect is there", arguments: effects)
  func effect(_ effect: Effect) throws {
    let result = try Trial(effect.steps, after: effect.after).run()
    #expect(result.hasPassed, "\(result.verdict)")
  }

  @Test("The effect can be found missing", arguments: effects)
  func missingEffect(_ effect: Effect) throws {
    let trial = Trial(effect.steps, after: effect.wrong)
    expectFailure(
      try trial.run(), at: trial.line(of: "after:"), effect.subject, expected: effect.expected,
      actual: effect.actual)
  }

  @Test("The step `file` compares at its place in the case")
  func file() throws {
    let trial = Trial(
      """
      - write: {path: a, data: abc}
      - file: {path: a, withPlaintext: [abc], files: [a]}
      - delete: {path: a}
      - file: {path: a, exists: false}
      - write: {path: a, data: xyz}
      - file: {path: a, withPlaintext: [abc]}
      """)
    expectFailure(
      try trial.run(), at: trial.line(of: "write: {path: a, data: xyz}").map { $0 + 1 },
      "a: withPlaintext[0]", expected: "\"abc\" in the bytes", actual: "nowhere")
  }

  /// A step that cannot be done, and why.
  struct Impossible: CustomTestStringConvertible {
    let step: String
    let subject: String
    let actual: String
    var testDescription: String { step }
  }

  static let impossible = [
    Impossible(
      step: "- copy: {from: a, to: b}", subject: "copy", actual: "there is no file 'a' to copy"),
    Impossible(
      step: "- delete: {path: a}", subject: "delete", actual: "there is no file 'a'"),
    Impossible(
      step: "- overwrite: {path: a, at: 0, data: x}", subject: "overwrite",
      actual: "there is no file 'a'"),
    Impossible(
      step: "- truncate: {path: a, to: 0}", subject: "truncate", actual: "there is no file 'a'"),
    Impossible(
      step: "- overwrite: {path: given, at: 2, data: xy}", subject: "overwrite",
      actual: "2 bytes at 2 are not within 'given', which has 3 bytes"),
    Impossible(
      step: "- overwrite: {path: given, at: -4, data: xy}", subject: "overwrite",
      actual: "2 bytes at -4 are not within 'given', which has 3 bytes"),
    Impossible(
      step: "- truncate: {path: given, to: 4}", subject: "truncate",
      actual: "'given' has 3 bytes and cannot be cut to 4"),
    Impossible(
      step: "- truncate: {path: given, to: -4}", subject: "truncate",
      actual: "'given' has 3 bytes and cannot be cut to -4"),
    Impossible(
      step: "- sql: {statements: [\"CREATE TABLE t(a)\", SELECT * FROM u], path: new}",
      subject: "sql", actual: "statement 2, 'SELECT * FROM u': …"),
    Impossible(
      step: "- sql: {statements: [SELECT 1], path: given}", subject: "sql",
      actual: "'given' has only 3 bytes…"),
    Impossible(
      step: "- overwrite: {path: databases/plain.db, at: 0, data: x}", subject: "overwrite",
      actual: "'databases/plain.db' is a file of the fixtures and cannot be changed…"),
    Impossible(
      step: "- delete: {path: databases/plain.db}", subject: "delete",
      actual: "'databases/plain.db' is a file of the fixtures and cannot be changed…"),
  ]

  @Test("What cannot be done fails at its step", arguments: impossible)
  func cannot(_ impossible: Impossible) throws {
    let trial = Trial("- write: {path: given, data: abc}\n\(impossible.step)")
    expectFailure(
      try trial.run(), at: trial.line(of: impossible.step), impossible.subject,
      expected: "success", actual: impossible.actual)
  }

  @Test(
    "A path that leads out of the case's folder is not followed",
    arguments: ["../a", "/tmp/a", "b/../../a", "databases/../README.md", "", ".", "a//b", "a\0"])
  func outside(_ path: String) throws {
    // Reading a fixture refuses such paths already: this one is put in behind it.
    for name in ["write", "copy", "file"] {
      let trial = Trial(
        name == "copy"
          ? "- copy: {from: here, to: b}"
          : name == "file" ? "- file: {path: here, exists: true}" : "- write: {path: here, data: x}"
      )
      var fixture = try trial.fixture()
      var arguments: [FixtureValue.Member] = [.init("data", .text("x")), .init("to", .text("b"))]
      if name == "file" { arguments = [.init("exists", .bool(false))] }
      fixture.cases[0].steps[0].arguments = .object(
        arguments + [.init(name == "copy" ? "from" : "path", .text(path))])
      let script = ScriptedTestee.Script()
      let runner = CaseRunner(RunSettings(folder: FixtureFolder.url, testees: script.factory))
      let found = runner.run(fixture.cases[0], of: fixture).discrepancies
      #expect(found.count == 1)
      #expect(found.first?.actual.contains("leaves the folder") == true)
    }
  }
}
