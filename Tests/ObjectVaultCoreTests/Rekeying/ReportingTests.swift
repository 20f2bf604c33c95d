import ObjectVaultCore
import ObjectVaultEngine
import Testing
import TestSupport

import ObjectVaultMaintenance

@Suite("Progress during a statement") struct ReportingTests {
  /// A statement with few instructions that each take long, as in the index of a hostile file.
  private static let slow =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) "
    + "SELECT sum(length(replace(hex(zeroblob(20000)), '00', i || 'x'))) FROM n"

  private func connection() throws -> Connection {
    try Connection.inMemory()
  }

  @Test("is reported although single instructions take long")
  func slowInstructions() throws {
    let connection = try connection()
    var reports = 0
    try [connection].reporting({ reports += 1 }) { try connection.execute(Self.slow) }
    #expect(reports > 0)
  }

  @Test("ends the statement with the error of the report")
  func stopped() throws {
    struct Enough: Error {}
    let connection = try connection()
    #expect(throws: Enough.self) {
      try [connection].reporting({ throw Enough() }) { try connection.execute(Self.slow) }
    }
  }
}
