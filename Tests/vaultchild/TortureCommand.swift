#if os(Linux)
  internal import Foundation
  internal import Synchronization
  internal import TestSupport

  /// Runs `torture`, which tests every operation with every fault at every call that changes a
  /// file.
  ///
  /// Each operation is also killed N times at a random moment. The command fails if there is any
  /// violation. Options: `[--rounds N] [--seed S] [--operation NAME]… [--from NAME]`.
  func torture(_ arguments: [String]) -> Int32 {
    var rounds = 1000
    var seed = UInt64.random(in: 0...UInt64(UInt32.max))
    var chosen: [any FaultedOperation] = []
    var operations = faultedOperations[...]
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch (option, rest.popFirst()) {
      case ("--rounds", let value?):
        guard let number = Int(value), number >= 0 else { return tortureUsage() }
        rounds = number
      case ("--seed", let value?):
        guard let number = UInt64(value) else { return tortureUsage() }
        seed = number
      case ("--operation", let value?):
        guard let operation = faultedOperation(named: value) else { return noOperation(value) }
        chosen.append(operation)
      case ("--from", let value?):
        guard let first = faultedOperations.firstIndex(where: { $0.name == value }) else {
          return noOperation(value)
        }
        operations = faultedOperations[first...]
      default: return tortureUsage()
      }
    }
    if !chosen.isEmpty { operations = chosen[...] }
    say("torture: \(operations.count) operations, \(rounds) random kills of each, seed \(seed)")
    let start = ContinuousClock.now
    var total = TortureTotal()
    for operation in operations { torture(operation, rounds: rounds, seed: seed, &total) }
    let minutes = Double((ContinuousClock.now - start) / .seconds(6)).rounded() / 10
    say(
      "total: \(total.faults) faults and \(total.kills) random kills of \(operations.count) operations in "
        + "\(minutes) minutes; violations \(total.violations)")
    return total.violations == 0 ? 0 : 1
  }

  private struct TortureTotal {
    var faults = 0
    var kills = 0
    var violations = 0
  }

  private func torture(
    _ operation: any FaultedOperation, rounds: Int, seed: UInt64, _ total: inout TortureTotal
  ) {
    do {
      let loop = try FaultLoop(operation)
      let plan = FaultPlan.exhaustive(loop.calls)
      let faults = loop.run(plan, progress: progress(operation.name, "faults", of: plan.count))
      let kills = loop.killRandomly(
        times: rounds, seed: seed, progress: progress(operation.name, "kills", of: rounds))
      total.faults += faults.runs
      total.kills += kills.runs
      for found in [faults, kills] where found.runs > 0 {
        say(found.line)
        for violation in found.violations { say("VIOLATION \(violation)") }
        total.violations += found.violations.count
      }
    } catch {
      say("VIOLATION \(error)")
      total.violations += 1
    }
  }

  /// Returns a closure that reports progress on standard error every ten seconds.
  private func progress(
    _ operation: String, _ what: String, of count: Int
  ) -> @Sendable (Int) -> Void {
    let next = Mutex(ContinuousClock.now + .seconds(10))
    return { done in
      let isDue = next.withLock { next in
        guard ContinuousClock.now >= next else { return false }
        next = .now + .seconds(10)
        return true
      }
      if isDue { report("\(operation): \(done) of \(count) \(what)") }
    }
  }

  private func noOperation(_ name: String) -> Int32 {
    report("no operation is called \(name); there are: ")
    report(faultedOperations.map(\.name).joined(separator: " "))
    return 64
  }

  private func tortureUsage() -> Int32 {
    report("usage: vaultchild torture [--rounds N] [--seed S] [--operation NAME]… [--from NAME]")
    return 64
  }
#endif
