internal import Foundation
internal import ObjectVaultCore
internal import ObjectVaultEngine
internal import TestSupport

/// The commands for a file that an operation reads.
///
/// Each prints one line.
let fileCommands: [String: @Sendable ([String]) -> Int32] = [
  // OPERATION PATH BYTES: performs the operation with a file size limit in bytes.
  "file-operation-limited": { arguments in
    answer {
      let operation = try named(arguments[0])
      _ = try Engine.prove()
      limitFiles(to: arguments[2], isFatal: false)
      // The printed output goes to a file, too.
      defer { limitFiles(to: "\(rlim_t.max)", isFatal: false) }
      try operation.run(on: arguments[1], key: operation.key)
      return "done"
    }
  },
  // OPERATION PATH: performs the operation as an unprivileged user.
  "file-operation-as-nobody": { arguments in
    answer {
      let operation = try named(arguments[0])
      // The check of the engine loads its files while that is still allowed.
      _ = try Engine.prove()
      setgid(65534)
      setuid(65534)
      try operation.run(on: arguments[1], key: operation.key)
      return "done"
    }
  },
  // OPERATION PATH: performs an operation on a file, reports that it is ready right before it
  // replaces the file, and continues after half a second.
  "file-operation-slowly": { arguments in
    answer {
      let operation = try named(arguments[0])
      try operation.run(on: arguments[1], key: operation.key) { progress in
        guard progress.phase == .replacing, progress.done == 0 else { return }
        FileHandle.standardOutput.write(Data("ready\n".utf8))
        usleep(500_000)
      }
      return "done"
    }
  },
  // OPERATION PATH open|writing|locked: holds the file that the operation reads until standard
  // input ends. Then it prints the number of its writes.
  "file-hold": { arguments in
    answer {
      let operation = try named(arguments[0])
      if arguments[2] == "locked" { return try hold(operation, arguments[1]) }
      if operation.readsClear {
        return try holdClear(arguments[1], writes: arguments[2] == "writing")
      }
      let vault = try Vault(at: arguments[1], key: operation.key ?? FileOperation.new)
      let store = try vault.store(of: MarkedObject.self)
      let count = try holding(while: arguments[2] == "writing") {
        try store.insert(MarkedObject("more", number: $0))
      }
      return "\(count)"
    }
  },
]

private func named(_ name: String) throws -> FileOperation {
  guard let operation = FileOperation(rawValue: name) else {
    throw VaultError(.invalidArgument, "No operation is called '\(name)'.")
  }
  return operation
}

/// Holds all locks of a file of any format.
private func hold(_ operation: FileOperation, _ path: String) throws -> String {
  let descriptor = open(path, O_RDWR)
  var lock = flock()
  lock.l_type = Int16(F_WRLCK)
  lock.l_whence = Int16(SEEK_SET)
  // Source: "The Lock-Byte Page" of SQLite's file format.
  lock.l_start = 0x4000_0000
  lock.l_len = 512
  guard fcntl(descriptor, F_SETLK, &lock) == 0 else { return "not locked" }
  return "\(try holding(while: false) { _ in })"
}

private func holdClear(_ path: String, writes: Bool) throws -> String {
  let connection = try Connection.plain(path: path, mode: .readWrite)
  try connection.setPragma("journal_mode", to: "WAL", expecting: "wal")
  let count = try holding(while: writes) {
    try connection.execute("INSERT INTO t(body) VALUES('more \($0)')")
  }
  return "\(count)"
}

/// Reports that it is ready and calls `body` once or repeatedly, until standard input ends.
private func holding(while isAgain: Bool, _ body: (Int) throws -> Void) throws -> Int {
  try body(0)
  FileHandle.standardOutput.write(Data("ready\n".utf8))
  var count = 1
  var descriptor = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
  while poll(&descriptor, 1, isAgain ? 1 : -1) == 0 {
    try body(count)
    count += 1
  }
  return count
}
