#if os(Linux)
  import Foundation

  /// A loop that runs an operation with one fault after another, each on a fresh copy of the same
  /// files.
  package final class FaultLoop: Sendable {
    private let operation: any FaultedOperation
    private let injector: FaultInjector
    private let folder: TemporaryFolder
    private var template: String { folder.file("template") }
    /// Every call that changes a file during the undisturbed operation.
    package let calls: [CountedCall]
    /// The duration of the undisturbed operation, in microseconds.
    private let duration: UInt64

    /// Prepares the files, and performs the operation once undisturbed to count its calls.
    package init(_ operation: any FaultedOperation) throws {
      self.operation = operation
      injector = try FaultInjector.shared.get()
      folder = try TemporaryFolder()
      let (template, counted) = (folder.file("template"), folder.file("counted"))
      try FileManager.default.createDirectory(
        atPath: template, withIntermediateDirectories: false)
      let prepared = try SpawnedProgram.run(
        "vaultchild", ["fault-prepare", operation.name, template])
      guard prepared.status == (prepared.exited ? 0 : SIGKILL) else {
        throw FaultViolation("\(operation.name) cannot be prepared: \(prepared.output)")
      }
      try FileManager.default.copyItem(atPath: template, toPath: counted)
      let log = folder.file("calls")
      let bystander = try operation.hasBystander ? Bystander(of: operation, in: counted) : nil
      let start = ContinuousClock.now
      let child = try SpawnedProgram.run(
        "vaultchild", ["fault-perform", operation.name, counted],
        environment: injector.environment(folder: counted, log: log))
      duration = UInt64((ContinuousClock.now - start) / .microseconds(1))
      try bystander?.write()
      guard child.exited, child.status == (operation.undisturbed == .after ? 0 : 70) else {
        throw FaultViolation("\(operation.name) fails undisturbed: \(child.output)\(child.errors)")
      }
      calls = try FaultInjector.calls(in: log)
      guard try operation.inspect(counted, isThorough: true) == operation.undisturbed else {
        throw FaultViolation("\(operation.name) did not do what it said")
      }
    }

    /// Performs the operation once for each fault, two at a time.
    ///
    /// `progress` is called after each run with the number of finished runs.
    package func run(
      _ faults: [Fault], progress: @Sendable (Int) -> Void = { _ in }
    ) -> FaultReport {
      performTwoAtATime(faults.count, progress) { index in
        let fault = faults[index]
        return (describe(fault), trial(fault, isThorough: index.isMultiple(of: 20)))
      }
    }

    /// Performs the operation `times` times and kills it at random moments, two at a time.
    ///
    /// `progress` is called after each run with the number of finished runs.
    package func killRandomly(
      times: Int, seed: UInt64, progress: @Sendable (Int) -> Void = { _ in }
    ) -> FaultReport {
      var random = SeededGenerator(seed: seed)
      // The moments extend past the measured end by a fifth of the duration, because the
      // measurement is not exact.
      let moments = (0..<times).map { _ in UInt64.random(in: 0...(duration * 6 / 5), using: &random)
      }
      return performTwoAtATime(times, progress) { index in
        (
          "SIGKILL after \(moments[index]) us",
          kill(after: moments[index], isThorough: index.isMultiple(of: 20))
        )
      }
    }

    /// Returns the report of `count` trials.
    ///
    /// Each trial returns the name of its fault and its result.
    private func performTwoAtATime(
      _ count: Int, _ progress: @Sendable (Int) -> Void,
      _ trial: @Sendable (Int) -> (String, Result<String, any Error>)
    ) -> FaultReport {
      let loop = SharedCounter()
      let report = SharedReport(FaultReport(operation: operation.name, calls: calls.count))
      let start = ContinuousClock.now
      DispatchQueue.concurrentPerform(iterations: 2) { _ in
        while let index = loop.next(below: count) {
          let (fault, result) = trial(index)
          progress(report.add(result, of: fault))
        }
      }
      return report.finished(after: ContinuousClock.now - start)
    }

    private func describe(_ fault: Fault) -> String {
      let call = calls[fault.number - 1]
      return "\(fault.action.rawValue) at call \(fault.number) (\(call.kind) \(call.file))"
    }

    private func trial(_ fault: Fault, isThorough: Bool) -> Result<String, any Error> {
      attempt(isThorough) { work in
        let child = try SpawnedProgram.run(
          "vaultchild", ["fault-perform", operation.name, work],
          environment: injector.environment(folder: work, fault: fault))
        return (child, fault.action)
      }
    }

    private func kill(after moment: UInt64, isThorough: Bool) -> Result<String, any Error> {
      attempt(isThorough) { work in
        let started = try SpawnedProgram.start(
          "vaultchild", ["fault-perform", operation.name, work])
        usleep(UInt32(moment))
        started.signal(SIGKILL)
        let (status, exited) = started.wait()
        let child = ChildProcess(status: status, exited: exited, output: "", errors: "")
        return (child, .killedBefore)
      }
    }

    /// Disturbs the operation once, on a fresh copy of the files, and checks the outcome.
    private func attempt(
      _ isThorough: Bool, _ body: (_ work: String) throws -> (ChildProcess, Fault.Action)
    ) -> Result<String, any Error> {
      Result {
        let place = try TemporaryFolder()
        let work = place.file("work")
        try FileManager.default.copyItem(atPath: template, toPath: work)
        let bystander = try operation.hasBystander ? Bystander(of: operation, in: work) : nil
        let (child, action) = try body(work)
        try bystander?.write()
        return try judge(child, action, work, isThorough)
      }
    }

    /// Returns the outcome of the operation if it is valid.
    private func judge(
      _ child: ChildProcess, _ action: Fault.Action, _ work: String, _ isThorough: Bool
    ) throws -> String {
      switch (child.exited, child.status) {
      case (true, 0):
        let outcome = try operation.inspect(work, isThorough: isThorough)
        guard outcome == .after else { throw FaultViolation("it said it was done, and was not") }
        return "done"
      case (true, 70) where operation.confession.map { child.output.contains($0) } ?? false:
        let outcome = try operation.inspect(work, isThorough: isThorough)
        guard outcome == .after else { throw FaultViolation("it said it was done, and was not") }
        return "done but for the last step"
      case (true, 70) where action.isSurvived || operation.undisturbed == .before:
        try operation.checkUntouched(
          work, since: template, mayLackRoom: action == .diskFull)
        let outcome = try operation.inspect(work, isThorough: isThorough)
        guard outcome == .before else { throw FaultViolation("it said it failed, and was done") }
        let code = child.output.prefix { $0 != ":" }
        return code.isEmpty ? "failed" : "failed: \(code)"
      case (false, SIGKILL) where !action.isSurvived:
        return "killed: \(try operation.inspect(work, isThorough: isThorough))"
      default:
        throw FaultViolation("it ended with \(child.status): \(child.output)\(child.errors)")
      }
    }
  }

  /// The results of many faults.
  package struct FaultReport: Sendable {
    package let operation: String
    /// The number of the operation's calls that change a file.
    package let calls: Int
    package private(set) var runs = 0
    /// The number of runs by outcome.
    package private(set) var outcomes: [String: Int] = [:]
    package private(set) var violations: [String] = []
    package fileprivate(set) var duration: Duration = .zero

    fileprivate init(operation: String, calls: Int) {
      self.operation = operation
      self.calls = calls
    }

    fileprivate mutating func add(_ result: Result<String, any Error>, of fault: String) {
      runs += 1
      switch result {
      case .success(let outcome): outcomes[outcome, default: 0] += 1
      case .failure(let error): violations.append("\(operation), \(fault): \(error)")
      }
    }

    /// The report on one line, for a log.
    package var line: String {
      let seconds = Double(duration / .milliseconds(1)) / 1000
      let found = outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      return "\(operation): \(calls) calls, \(runs) runs in \(seconds) s; "
        + found.joined(separator: ", ") + "; violations \(violations.count)"
    }
  }

  private final class SharedReport: @unchecked Sendable {
    private let lock = NSLock()
    private var report: FaultReport

    init(_ report: FaultReport) { self.report = report }

    /// Adds a result, and returns the number of results.
    func add(_ result: Result<String, any Error>, of fault: String) -> Int {
      lock.withLock {
        report.add(result, of: fault)
        return report.runs
      }
    }

    func finished(after duration: Duration) -> FaultReport {
      lock.withLock {
        report.duration = duration
        return report
      }
    }
  }

  private final class SharedCounter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func next(below limit: Int) -> Int? {
      lock.withLock {
        guard count < limit else { return nil }
        defer { count += 1 }
        return count
      }
    }
  }
#endif
