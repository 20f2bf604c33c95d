#if os(Linux)
  import TestSupport
  import Testing

  /// An operation that is disturbed at one moment. Afterwards exactly one key opens the file, every
  /// object is there, and nothing stays behind; and what failed has touched nothing.
  @Suite("A fault", .serialized) struct FaultTests {
    @Test(
      "at any call that changes a file leaves an operation done or not begun",
      arguments: faultedOperations.map(\.name))
    func everyCall(name: String) async throws {
      try await expectNoViolation {
        let loop = try FaultLoop(#require(faultedOperation(named: name)))
        // What makes new files goes the way that a rekey goes, which stands for all of them.
        return loop.run(
          ["rekey-wal", "rekey-delete"].contains(name)
            ? FaultPlan.everyCall(loop.calls)
            : name.hasPrefix("upgrade-")
              ? FaultPlan.everyCallKilled(loop.calls) : FaultPlan.everyCallOnce(loop.calls))
      }
    }

    @Test(
      "that ends the process at any moment leaves an operation done or not begun",
      arguments: faultedOperations.map(\.name))
    func randomKills(name: String) async throws {
      let seed = SeededGenerator(for: "kills of \(name)").seed
      try await expectNoViolation {
        try FaultLoop(#require(faultedOperation(named: name))).killRandomly(times: 25, seed: seed)
      }
    }

    private func expectNoViolation(
      _ sourceLocation: SourceLocation = #_sourceLocation,
      in work: @escaping @Sendable () throws -> FaultReport
    ) async throws {
      let report = try await onOwnThread(work)
      print(report.line)
      #expect(
        report.violations.isEmpty, "\(report.violations.joined(separator: "\n"))",
        sourceLocation: sourceLocation)
    }
  }
#endif
