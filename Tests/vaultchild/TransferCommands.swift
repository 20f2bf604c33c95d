internal import Foundation
internal import TestSupport

/// Runs a command of the transfer scenario, or returns `nil` for another name.
///
/// - `transfers --seconds N [--seed S]`: runs the whole ``TransferScenario`` and fails if there is
///   any violation.
/// - `transfer-write FOLDER SEED WORKER…`: makes transfers on a thread for each worker.
/// - `transfer-read FOLDER SEED`, `transfer-observe FOLDER SEED`: checks the accounts.
func transferCommand(_ name: String, _ arguments: [String]) async -> Int32? {
  let place = TransferPlace(folder: arguments.first ?? "")
  if name.hasPrefix("transfer-") { endWithParent() }
  do {
    switch name {
    case "transfers": return transfers(arguments)
    case "transfer-write":
      guard arguments.count > 2, let seed = UInt64(arguments[1]) else { return 64 }
      for worker in arguments.dropFirst(2).compactMap({ Int($0) }) {
        let writer = TransferWriter(place, worker: worker, seed: seed &+ UInt64(worker))
        Thread.detachNewThread {
          do {
            try writer.run()
          } catch {
            report("\(error)")
            exit(1)
          }
        }
      }
      while true { sleep(1000) }
    case "transfer-read": try TransferReader(place).read()
    case "transfer-observe":
      try await TransferReader(place).observe()
      return 1
    default: return nil
    }
  } catch {
    report("\(error)")
    return 1
  }
}

/// Ends this process when its parent has ended, for example by Control-C.
private func endWithParent() {
  let parent = getppid()
  Thread.detachNewThread {
    while getppid() == parent { sleep(1) }
    exit(1)
  }
}

private func transfers(_ arguments: [String]) -> Int32 {
  var seconds = 600.0
  var seed = UInt64.random(in: 0...UInt64(UInt32.max))
  var rest = arguments[...]
  while let option = rest.popFirst() {
    switch (option, rest.popFirst()) {
    case ("--seconds", let value?):
      guard let number = Double(value), number > 0 else { return transfersUsage() }
      seconds = number
    case ("--seed", let value?):
      guard let number = UInt64(value) else { return transfersUsage() }
      seed = number
    default: return transfersUsage()
    }
  }
  say("transfers: \(seconds) s, seed \(seed)")
  do {
    let folder = try TemporaryFolder()
    let found = try TransferScenario(folder: folder.path, seconds: seconds, seed: seed)
      .run { report($0.line) }
    say(found.line)
    for violation in found.violations { say("VIOLATION \(violation)") }
    return found.violations.isEmpty ? 0 : 1
  } catch {
    say("VIOLATION \(error)")
    return 1
  }
}

private func transfersUsage() -> Int32 {
  report("usage: vaultchild transfers [--seconds N] [--seed S]")
  return 64
}
