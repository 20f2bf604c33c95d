internal import Foundation
internal import TestSupport

/// Runs `model [--operations N] [--each N] [--seed S]`, the model-based test.
///
/// It performs random operations on vaults and on a model, in one vault after another, and fails if
/// they differ.
func model(_ arguments: [String]) -> Int32 {
  var operations = 500_000
  var each = 20_000
  var seed = UInt64.random(in: 0...UInt64(UInt32.max))
  var rest = arguments[...]
  while let option = rest.popFirst() {
    switch (option, rest.popFirst()) {
    case ("--operations", let value?):
      guard let number = Int(value), number > 0 else { return modelUsage() }
      operations = number
    case ("--each", let value?):
      guard let number = Int(value), number > 0 else { return modelUsage() }
      each = number
    case ("--seed", let value?):
      guard let number = UInt64(value) else { return modelUsage() }
      seed = number
    default: return modelUsage()
    }
  }
  say("model: \(operations) operations, \(each) in each vault, seed \(seed)")
  let found = ModelReport.run(operations: operations, each: each, seed: seed) {
    report("\($0.operations) operations")
  }
  say(found.line)
  if let difference = found.difference { say("DIFFERENCE \(difference)") }
  return found.difference == nil ? 0 : 1
}

private func modelUsage() -> Int32 {
  report("usage: vaultchild model [--operations N] [--each N] [--seed S]")
  return 64
}
