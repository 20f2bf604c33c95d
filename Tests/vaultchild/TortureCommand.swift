#if os(Linux)
  internal import TestSupport

  /// `torture [--rounds N] [--seed S] [--operation NAME]`: every operation meets every fault at every
  /// call that changes a file, and is killed N times at a random moment; fails when anything was not
  /// as it must be.
  func torture(_ arguments: [String]) -> Int32 {
    var rounds = 1000
    var seed = UInt64.random(in: 0...UInt64(UInt32.max))
    var operations = faultedOperations
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
        guard let operation = faultedOperation(named: value) else {
          report("no operation is called \(value); there are: ")
          report(faultedOperations.map(\.name).joined(separator: " "))
          return 64
        }
        operations = [operation]
      default: return tortureUsage()
      }
    }
    print("torture: \(rounds) rounds, seed \(seed)")
    var violations = 0
    for operation in operations {
      do {
        let loop = try FaultLoop(operation)
        let faults = loop.run(FaultPlan.exhaustive(loop.calls))
        let kills = loop.killRandomly(times: rounds, seed: seed)
        for found in [faults, kills] {
          print(found.line)
          for violation in found.violations { print("VIOLATION \(violation)") }
          violations += found.violations.count
        }
      } catch {
        print("VIOLATION \(error)")
        violations += 1
      }
    }
    return violations == 0 ? 0 : 1
  }

  private func tortureUsage() -> Int32 {
    report("usage: vaultchild torture [--rounds N] [--seed S] [--operation NAME]")
    return 64
  }
#endif
