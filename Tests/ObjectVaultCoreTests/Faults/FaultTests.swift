#if os(Linux)
  import TestSupport
  import Testing

  /// Tests that disturb an operation at one moment.
  ///
  /// Afterwards exactly one key opens the file, every object is there, and no temporary file is
  /// left. An operation that failed has changed nothing. Each commit injects a twentieth of the
  /// faults (`FaultRotation`); `Scripts/torture` injects all. A test that waits for its programs
  /// blocks its thread, so that no more programs run at a time than there are processors.
  @Suite("A fault") struct FaultTests {
    @Test(
      "at any call that changes a file leaves an operation done or not begun",
      arguments: faultedOperations.map(\.name))
    func everyCall(name: String) throws {
      try expectNoViolation {
        let loop = try FaultLoop(#require(faultedOperation(named: name)))
        // Every operation that creates files follows the same steps as a rekey.
        let plan =
          ["rekey-wal", "rekey-delete"].contains(name)
          ? FaultPlan.everyCall(loop.calls)
          : name.hasPrefix("upgrade-")
            ? FaultPlan.everyCallKilled(loop.calls) : FaultPlan.everyCallOnce(loop.calls)
        return loop.run(FaultRotation().select(plan, of: name))
      }
    }

    @Test(
      "that ends the process at any moment leaves an operation done or not begun",
      arguments: faultedOperations.map(\.name))
    func randomKills(name: String) throws {
      let seed = SeededGenerator(for: "kills of \(name)").seed
      try expectNoViolation {
        try FaultLoop(#require(faultedOperation(named: name))).killRandomly(times: 2, seed: seed)
      }
    }

    @Test("is injected by one of 20 commits in a row, at every call of a plan")
    func rotation() {
      let calls = (0..<53).compactMap { CountedCall(line: $0 % 3 == 0 ? "sync f" : "write f") }
      let plan = FaultPlan.everyCall(calls)
      let parts = (100..<120).map { FaultRotation(number: $0).select(plan, of: "rekey-wal") }
      #expect(parts.allSatisfy { !$0.isEmpty })
      #expect(parts.joined().count == plan.count)
      #expect(Set(parts.joined()) == Set(plan))
    }

    private func expectNoViolation(
      _ sourceLocation: SourceLocation = #_sourceLocation,
      in work: () throws -> FaultReport
    ) throws {
      let report = try work()
      print(report.line)
      #expect(
        report.violations.isEmpty, "\(report.violations.joined(separator: "\n"))",
        sourceLocation: sourceLocation)
    }
  }
#endif
