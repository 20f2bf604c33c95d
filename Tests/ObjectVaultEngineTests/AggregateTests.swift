import ObjectVaultDriver
import ObjectVaultEngine
import TestSupport
import Testing

/// Adds integers, refuses texts, and tells when it is given up.
private final class Adding: AggregateRun {
  private var sum: Int64 = 0
  private let onEnd: () -> Void

  init(onEnd: @escaping () -> Void) { self.onEnd = onEnd }

  deinit { onEnd() }

  func step(_ number: Double) throws {
    guard number.isFinite else { throw Refusal() }
  }

  func step(_ arguments: FunctionArguments) throws {
    switch arguments.storage(at: 0) {
    case .integer: sum += arguments.integer(at: 0)
    case .text: throw Refusal()
    case .null, .real, .blob: break
    }
  }

  func finish(_ result: FunctionResult) { result.set(sum) }

  private struct Refusal: Error {}
}

@Suite("Aggregates") final class AggregateTests {
  private let folder: TemporaryFolder
  private let connection: Connection
  private var begun = 0
  private var ended = 0

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection.test(folder.file("test.db"))
    try connection.execute("CREATE TABLE t (kind, value)")
    try connection.execute("INSERT INTO t VALUES ('a', 1), ('a', 2), ('b', 40), ('b', NULL)")
    try connection.register(aggregate: "adding") { [unowned self] in
      begun += 1
      return Adding { [unowned self] in ended += 1 }
    }
  }

  @Test("every group has a run of its own, and so has a group without rows")
  func groups() throws {
    #expect(try connection.integer("SELECT adding(value) FROM t") == 43)
    #expect(try connection.integer("SELECT adding(value) FROM t WHERE 0") == 0)
    let sums = "SELECT group_concat(s) FROM (SELECT adding(value) AS s FROM t GROUP BY kind)"
    #expect(try connection.text(sums) == "3,40")
    // Two in one statement, row by row.
    let both = "SELECT adding(value) || ',' || adding(value + 1) FROM t WHERE kind = 'a'"
    #expect(try connection.text(both) == "3,5")
    #expect(begun == ended)
    #expect(begun == 6)
  }

  @Test("a run that fails makes the statement fail, and is given up")
  func failing() throws {
    try connection.execute("INSERT INTO t VALUES ('c', 'secret')")
    #expect(throws: DriverError.self) { try connection.integer("SELECT adding(value) FROM t") }
    #expect(throws: DriverError.self) { try connection.integer("SELECT adding(-9e999) FROM t") }
    #expect(try connection.integer("SELECT adding(0.5) FROM t") == 0)
    #expect(begun == ended)
    #expect(try connection.integer("SELECT adding(value) FROM t WHERE kind = 'a'") == 3)
  }
}
