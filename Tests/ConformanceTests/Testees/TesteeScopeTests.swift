import ObjectVaultConformance
import ObjectVaultConformanceFormat
import TestSupport
import Testing

@Suite("Scopes and threads of the library's testee") struct TesteeScopeTests {
  private static let insert =
    #"{"operation":"insert","arguments":{"class":"Person","object":{"name":"Cy","age":1}}}"#
  private static let inserted =
    #"{"returns":{"objectID":3,"name":"Cy","age":1,"note":{"nil":true}}}"#
  private static let duplicate =
    #"{"operation":"insert","arguments":{"class":"Person","object":{"name":"Li","age":1}}"#
  private static let refused = #"{"fails":{"code":"duplicate","message":""}}"#
  private static let count = #"{"operation":"count","arguments":{"class":"Person"}}"#

  @Test(
    "A transaction answers for its steps, and keeps all of them", arguments: Exchange.Kind.allCases)
  func commit(_ kind: Exchange.Kind) throws {
    let exchange = try TesteeOperationTests.withPeople(kind)
    try exchange.expect(
      "transaction", #"{"steps":[\#(Self.insert),\#(Self.count)]}"#,
      #"{"returns":[\#(Self.inserted),{"returns":3}]}"#)
    try exchange.expect("count", #"{"class":"Person"}"#, #"{"returns":3}"#)
    try exchange.expect("transaction", #"{"steps":[],"handle":"none"}"#, fails: "internalError")
    try exchange.expect("close")
    try exchange.expect(
      "transaction", #"{"steps":[\#(Self.insert)]}"#,
      #"{"returns":[],"fails":{"code":"closed","message":""}}"#)
  }

  @Test("A rollback undoes the steps, and is no failure", arguments: Exchange.Kind.allCases)
  func rollback(_ kind: Exchange.Kind) throws {
    let exchange = try TesteeOperationTests.withPeople(kind)
    try exchange.expect(
      "transaction", #"{"end":"rollback","steps":[\#(Self.insert),\#(Self.count)]}"#,
      #"{"returns":[\#(Self.inserted),{"returns":3}]}"#)
    try exchange.expect("count", #"{"class":"Person"}"#, #"{"returns":2}"#)
  }

  @Test("A step that fails ends its transaction, unless it may", arguments: Exchange.Kind.allCases)
  func failures(_ kind: Exchange.Kind) throws {
    let exchange = try TesteeOperationTests.withPeople(kind)
    try exchange.expect(
      "transaction", #"{"steps":[\#(Self.insert),\#(Self.duplicate)},\#(Self.count)]}"#,
      #"{"returns":[\#(Self.inserted),\#(Self.refused)],\#(Self.refused.dropFirst())"#)
    try exchange.expect("count", #"{"class":"Person"}"#, #"{"returns":2}"#)
    try exchange.expect(
      "transaction",
      #"{"steps":[\#(Self.insert),\#(Self.duplicate),"mayFail":true},\#(Self.count)]}"#,
      #"{"returns":[\#(Self.inserted.replacing("3", with: "4")),\#(Self.refused),{"returns":3}]}"#)
    try exchange.expect("count", #"{"class":"Person"}"#, #"{"returns":3}"#)
  }

  @Test(
    "A transaction in another is undone alone where it may fail", arguments: Exchange.Kind.allCases)
  func nested(_ kind: Exchange.Kind) throws {
    let exchange = try TesteeOperationTests.withPeople(kind)
    let inner =
      #"{"operation":"transaction","mayFail":true,"arguments":{"steps":[\#(Self.insert),\#(Self.duplicate)}]}}"#
    let failed = #"{"returns":[\#(Self.inserted),\#(Self.refused)],\#(Self.refused.dropFirst())"#
    try exchange.expect(
      "transaction",
      #"{"steps":[{"operation":"removeByID","arguments":{"class":"Person","id":2}},\#(inner),\#(Self.count)]}"#,
      #"{"returns":[{},\#(failed),{"returns":1}]}"#)
    try exchange.expect("ids", #"{"class":"Person"}"#, #"{"returns":[1]}"#)
  }

  @Test(
    "Another thread sees the last commit, the own transaction and a read scope what they did",
    arguments: Exchange.Kind.allCases)
  func threads(_ kind: Exchange.Kind) throws {
    let exchange = try TesteeOperationTests.withPeople(kind)
    let elsewhere = #"{"operation":"count","arguments":{"class":"Person"},"thread":"t"}"#
    try exchange.expect(
      "transaction", #"{"steps":[\#(Self.insert),\#(elsewhere),\#(Self.count)]}"#,
      #"{"returns":[\#(Self.inserted),{"returns":2},{"returns":3}]}"#)
    let removing = #"{"operation":"removeAll","arguments":{"class":"Person"},"thread":"t"}"#
    try exchange.expect(
      "read", #"{"steps":[\#(Self.count),\#(removing),\#(Self.count),\#(elsewhere)]}"#,
      #"{"returns":[{"returns":3},{"returns":3},{"returns":3},{"returns":0}]}"#)
    try exchange.expect("count", #"{"class":"Person"}"#, #"{"returns":0}"#, thread: "u")
    // The steps of a thread's transaction are that thread's.
    try exchange.expect(
      "transaction", #"{"steps":[\#(Self.insert),\#(elsewhere)]}"#,
      #"{"returns":[\#(Self.inserted.replacing("3", with: "4")),{"returns":1}]}"#, thread: "t")
  }

  @Test("A thread that waits for what the first one holds is given up, and the case with it")
  func stuckThread() throws {
    let testee = LibraryTestee(threadTimeLimit: 0.2)
    let exchange = try Exchange(testee, classes: TesteeOperationTests.person)
    try exchange.expect("open")
    let stuck = Self.insert.replacing(#""operation""#, with: #""thread":"t","operation""#)
    let steps = #"{"steps":[\#(Self.insert),\#(stuck)]}"#
    let error = try #require(throws: TesteeEnded.self) { try exchange.ask("transaction", steps) }
    #expect(error.reason.contains("Thread 't' did not answer within 0.2 seconds"))
    #expect(throws: TesteeEnded.self) { try exchange.ask("cipher") }
    try exchange.begin(classes: "{}")
    try exchange.expect("open", #"{"path":"other.vault"}"#)
  }

  @Test("A thread that is asked by a step that it waits for is an error")
  func circleOfThreads() throws {
    let exchange = try Exchange(LibraryTestee(), classes: TesteeOperationTests.person)
    try exchange.expect("open")
    let inner = #"{"operation":"cipher","arguments":{},"thread":"t"}"#
    let middle = #"{"operation":"read","arguments":{"steps":[\#(inner)]},"thread":"u"}"#
    let error = try #require(throws: TesteeEnded.self) {
      try exchange.ask("read", #"{"steps":[\#(middle)]}"#, thread: "t")
    }
    #expect(error.reason.contains("Thread 't' waits for the step that needs it"))
  }

  @Test("The library does not end the process that runs the fixtures")
  func crashInProcess() throws {
    let exchange = try Exchange(.library)
    guard case .unsupported(let reason) = try exchange.ask("crash") else {
      Issue.record("The process lives on, so that something else was answered.")
      return
    }
    #expect(reason.hasPrefix("crash"))
  }

  @Test("Nothing of a transaction is there after a crash in it")
  func crash() throws {
    let program = try Exchange.program()
    let exchange = try Exchange(program, classes: TesteeOperationTests.person)
    try exchange.expect("open")
    try exchange.expect(
      "transaction", #"{"steps":[\#(Self.insert)]}"#,
      #"{"returns":[\#(Self.inserted.replacing("3", with: "1"))]}"#)
    let steps =
      #"{"steps":[\#(Self.insert.replacing("Cy", with: "Di")),\#(Self.count),{"operation":"crash","arguments":{}}]}"#
    let error = try #require(throws: TesteeEnded.self) { try exchange.ask("transaction", steps) }
    #expect(error.wasKilled)
    #expect(program.end == .signalled(9))
    let again = LibraryTestee()
    _ = try again.answer(
      Exchange.request(
        "begin",
        #"{"format":1,"folder":"\#(exchange.folder.path)","classes":\#(TesteeOperationTests.person)}"#
      ))
    _ = try again.answer(Exchange.request("open", "{}"))
    let values = try again.answer(
      Exchange.request("values", #"{"class":"Person","properties":["name"]}"#))
    #expect(values == .returns(.list([.list([.text("Cy")])])))
  }
}
