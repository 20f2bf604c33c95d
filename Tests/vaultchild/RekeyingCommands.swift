internal import ObjectVaultCore
internal import TestSupport

/// What a child does with the files of one operation that meets faults. Each prints one line.
let rekeyingCommands: [String: @Sendable ([String]) -> Int32] = [
  // OPERATION FOLDER: makes what the operation begins with; it may end by being killed.
  "fault-prepare": { arguments in
    onOperation(arguments) { try $0.prepare(in: arguments[1]) }
  },
  // OPERATION FOLDER: does the operation.
  "fault-perform": { arguments in
    onOperation(arguments) { try $0.perform(in: arguments[1]) }
  },
  // OPERATION FOLDER: opens the file, waits, and writes into it.
  "fault-stand-by": { arguments in
    onOperation(arguments) { try Bystander.run($0, in: arguments[1]) }
  },
]

private func onOperation(
  _ arguments: [String], _ body: (any FaultedOperation) throws -> Void
) -> Int32 {
  guard let operation = faultedOperation(named: arguments[0]) else {
    report("vaultchild knows no operation \(arguments[0])")
    return 64
  }
  do {
    try body(operation)
    print("done")
    return 0
  } catch let error as VaultError {
    print("\(error.code): \(error.message)")
    return 70
  } catch {
    print("\(error)")
    return 71
  }
}
