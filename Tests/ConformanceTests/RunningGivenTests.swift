import ObjectVaultConformance
import ObjectVaultConformanceFormat
import Testing

@Suite("A case begins with the vault and the objects given")
struct RunningGivenTests {
  private static let given = """
    objects:
      Note: [{text: a}, {text: b}]
    """

  @Test("The testee opens the vault and stores the objects before the first step")
  func byTestee() throws {
    let script = ScriptedTestee.Script()
    #expect(try Trial("- close: {}", given: Self.given).run(script).hasPassed)
    #expect(script.asked == ["1 begin", "1 open", "1 insertMany", "1 close", "1 end"])
  }

  @Test("Without a vault nothing is opened")
  func none() throws {
    let script = ScriptedTestee.Script()
    #expect(try Trial("- close: {}").run(script).hasPassed)
    #expect(script.asked == ["1 begin", "1 close", "1 end"])
  }

  @Test("A vault that cannot be opened, and objects that cannot be stored, fail the case")
  func failures() throws {
    let trial = Trial("- close: {}", given: Self.given)
    let line = trial.line(of: "- name: a trial")
    expectFailure(
      try trial.run(.init([.open: [.fails("cannotOpen")]])), at: line, "the given vault",
      expected: "success", actual: "fails cannotOpen: the testee's words")
    expectFailure(
      try trial.run(.init([.insertMany: [.fails("duplicate")]])), at: line,
      "the given objects of Note", expected: "success",
      actual: "fails duplicate: the testee's words")
  }

  @Test("Another testee stores the objects and ends before the testee opens the vault")
  func byAnother() throws {
    let script = ScriptedTestee.Script()
    let giver = ScriptedTestee.Script()
    #expect(try Trial("- close: {}", given: Self.given).run(script, givenBy: giver).hasPassed)
    #expect(giver.asked == ["giver 1 begin", "giver 1 open", "giver 1 insertMany", "giver 1 end"])
    // The stores are there as if the testee had stored the objects itself.
    #expect(script.asked == ["1 begin", "1 open", "1 store", "1 close", "1 end"])
  }

  @Test("What who gives the objects cannot do is not held against the testee")
  func giverCannot() throws {
    let giver = ScriptedTestee.Script([.insertMany: [.success(.unsupported("no dates"))]])
    let result = try Trial("- close: {}", given: Self.given).run(.init(), givenBy: giver)
    guard case .notSupported("no dates") = result.verdict else {
      Issue.record("not supported was expected, not: \(result.verdict)")
      return
    }
  }

  @Test("A database of the fixtures is copied to the vault's path first")
  func copied() throws {
    let trial = Trial(
      "- close: {}",
      after: """
        {cipher: {format: 3, pageSize: 1024}, counts: {pet: 2}, files: [old.vault], \
        path: old.vault}
        """,
      given: """
        vault: {file: databases/format3-1024.db, path: old.vault, key: {passphrase: open sesame}}
        """)
    // The key of the vault is that of the file, where `after` says none.
    #expect(try trial.run().hasPassed)
  }

  @Test("A database that is not there fails the case")
  func copiedFromNowhere() throws {
    let trial = Trial("- close: {}", given: "vault: {file: databases/none.db}")
    expectFailure(
      try trial.run(), at: trial.line(of: "- name: a trial"), "the given vault",
      expected: "a copy of 'databases/none.db'",
      actual: "there is no file 'databases/none.db' to copy")
  }
}
