internal import Foundation
internal import TestSupport

/// Runs `stress`, which runs ``StressScenario`` and fails with a report if there is any violation.
///
/// Options: `--seconds N [--path P] [--seed S] [--grouped] [--second-process]`.
func stress(_ arguments: [String]) async -> Int32 {
  var seconds = 60.0
  var path: String?
  var seed = UInt64.random(in: 0...UInt64(UInt32.max))
  var isSecond = false
  var isGrouped = false
  var rest = arguments[...]
  while let option = rest.popFirst() {
    switch option {
    case "--second-process": isSecond = true
    case "--grouped": isGrouped = true
    case "--seconds":
      guard let value = rest.popFirst().flatMap(Double.init), value > 0 else {
        return stressUsage()
      }
      seconds = value
    case "--seed":
      guard let value = rest.popFirst().flatMap({ UInt64($0) }) else { return stressUsage() }
      seed = value
    case "--path":
      guard let value = rest.popFirst() else { return stressUsage() }
      path = value
    default: return stressUsage()
    }
  }
  do {
    let folder = try TemporaryFolder()
    var scenario = StressScenario(
      path: path ?? folder.file("stress.vault"), seconds: seconds, seed: seed)
    scenario.groupsCommits = isGrouped
    if isSecond {
      scenario.isSecondProcess = true
      scenario.startsSecondProcess = false
      scenario.threads = 2
      scenario.tasks = 2
    }
    print("stress: \(seconds) s, seed \(seed)")
    let watchdog = startWatchdog(seconds: seconds)
    let report = try await scenario.run()
    watchdog.cancel()
    print(report.line)
    if let second = report.secondProcess { print("second process: \(second)") }
    for violation in report.violations.prefix(40) { print("VIOLATION \(violation)") }
    return report.violations.isEmpty ? 0 : 1
  } catch {
    print("VIOLATION \(error)")
    return 1
  }
}

/// Ends a hanging process with a message.
private func startWatchdog(seconds: Double) -> DispatchWorkItem {
  let item = DispatchWorkItem {
    report("stress: still running \(Int(seconds * 2 + 600)) s after the start; a call hangs")
    exit(3)
  }
  DispatchQueue(label: "watchdog").asyncAfter(
    deadline: .now() + seconds * 2 + 600, execute: item)
  return item
}

private func stressUsage() -> Int32 {
  report(
    "usage: vaultchild stress --seconds N [--path P] [--seed S] [--grouped] [--second-process]")
  return 64
}
