internal import Foundation
internal import ObjectVaultCore
internal import TestSupport

/// The commands for the files of an operation with faults.
///
/// Each prints one line.
let rekeyingCommands: [String: @Sendable ([String]) -> Int32] = [
  // OPERATION FOLDER: creates the initial files. It can kill itself.
  "fault-prepare": { arguments in
    onOperation(arguments) { try $0.prepare(in: arguments[1]) }
  },
  // OPERATION FOLDER: performs the operation.
  "fault-perform": { arguments in
    onOperation(arguments) { try $0.perform(in: arguments[1]) }
  },
  // OPERATION FOLDER: opens the file, waits, and writes to it.
  "fault-stand-by": { arguments in
    onOperation(arguments) { try Bystander.run($0, in: arguments[1]) }
  },
  // OPERATION PATH OTHER: performs an operation on a file, and is killed while it copies. Keys are
  // raw keys of one repeated byte: 0x0B is the file's own key, 0xA0 and 0xA1 open slots of a
  // keyring.
  "killed-copying": { arguments in
    func key(_ byte: UInt8) -> [UInt8] { Array(repeating: byte, count: 32) }
    func kill(_ progress: RekeyProgress) {
      if progress.phase == .copying { Foundation.kill(getpid(), SIGKILL) }
    }
    do {
      let path = arguments[1]
      switch arguments[0] {
      case "to-keyring":
        try DatabaseFile(at: path, key: .raw(key(0x0B)))
          .rekey(to: .keyring(.raw(key(0xA0))), progress: kill)
      case "restore":
        try DatabaseFile(at: path, key: .keyring(.raw(key(0xA0))))
          .restore(to: arguments[2], replacing: true, progress: kill)
      case "salvage":
        _ = try DatabaseFile(at: path, key: .keyring(.raw(key(0xA0))))
          .salvage(to: arguments[2], progress: kill)
      case "decrypt":
        try DatabaseFile(at: path, key: .raw(key(0x0B))).decrypt(to: arguments[2], progress: kill)
      case "revoke":
        try DatabaseFile(at: path, key: .keyring(.raw(key(0xA0), slot: "main")))
          .rotate(keeping: [.raw(key(0xA0), slot: "main")], progress: kill)
      default: return 64
      }
    } catch {
      print(error)
    }
    return 71
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
