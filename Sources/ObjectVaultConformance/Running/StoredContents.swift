import ObjectVaultConformanceFormat

/// A comparison of the rows of a testee without files, which the testee returns itself.
struct StoredContents {
  private let session: TesteeSession
  /// The name of the handle for the comparison.
  private static let handle = "stored contents"
  /// The fields of an expectation that need no file.
  private static let fields: Set<String> = ["path", "counts", "rows"]

  init(of session: TesteeSession) { self.session = session }

  /// Returns a field of an expectation that belongs to a file; `nil` if there is none.
  static func fieldOfFile(_ expectation: FileExpectation) -> String? {
    expectation.value.members?.map(\.name).first { !fields.contains($0) }
  }

  /// Returns the differences from an expectation.
  ///
  /// - Throws: ``CaseEnd/notSupported(_:)`` if the testee does not support the comparison;
  ///   ``TesteeEnded`` if it ended.
  func discrepancies(from expectation: FileExpectation) throws -> [Discrepancy] {
    var report = InspectionReport(expectation)
    if case .text(let path)? = expectation.value["path"] { report.path = path }
    do {
      _ = try answer(
        .open, [.init("handle", .text(Self.handle)), .init("path", .text(report.path))])
      let stored = try contents(of: expectation)
      report.compareEach("counts") { table, _ in
        try stored[table].map { .integer(Int64(try $0.get().count)) }
      }
      report.compareEach("rows") { table, _ in try stored[table].map { .list(try $0.get()) } }
      _ = try answer(.close, [.init("handle", .text(Self.handle))])
    } catch let error as RunnerError {
      report.add("the stored contents", expected: "rows", actual: "\(error)")
    }
    return report.discrepancies
  }

  /// Returns the rows of the expected tables, or the failure to read them.
  private func contents(
    of expectation: FileExpectation
  ) throws -> [String: Result<[FixtureValue], RunnerError>] {
    let members = ["counts", "rows"].flatMap { expectation.value[$0]?.members ?? [] }
    var stored: [String: Result<[FixtureValue], RunnerError>] = [:]
    for table in members.map(\.name) where stored[table] == nil {
      do {
        stored[table] = .success(try rows(of: table))
      } catch let error as RunnerError {
        stored[table] = .failure(error)
      }
    }
    return stored
  }

  private func rows(of table: String) throws -> [FixtureValue] {
    let value = try answer(
      .rows,
      [
        .init("handle", .text(Self.handle)),
        .init("sql", .text("TABLE \(StockQuery.quoted(table))")),
      ])
    guard case .list(let rows)? = value else { return [] }
    return rows
  }

  private func answer(
    _ operation: FixtureOperation, _ arguments: [FixtureValue.Member]
  ) throws -> FixtureValue? {
    switch try session.answer(Request(.perform(operation), arguments: .object(arguments))) {
    case .returns(let value): return value
    case .unsupported(let reason): throw CaseEnd.notSupported(reason)
    case .fails(let failure), .steps(_, let failure?): throw RunnerError(failure.words)
    case .steps: return nil
    }
  }
}
