#if os(Linux)
  import Foundation

  /// Another process that opens the file before an operation and writes to it afterwards.
  package final class Bystander {
    private let program: SpawnedProgram
    private let handshake: Handshake
    private var isWaitedFor = false

    /// Starts the process and waits until it has opened the file.
    init(of operation: any FaultedOperation, in folder: String) throws {
      handshake = try Handshake(at: folder, isMaking: true)
      program = try SpawnedProgram.start("vaultchild", ["fault-stand-by", operation.name, folder])
      guard handshake.isAsked() else {
        throw FaultViolation("the other process did not open the file")
      }
    }

    deinit {
      if !isWaitedFor {
        program.signal(SIGKILL)
        _ = program.wait()
      }
    }

    /// Makes the process write, and waits for its end.
    func write() throws {
      handshake.answer()
      isWaitedFor = true
      let (status, exited) = program.wait()
      guard exited, status == 0 else {
        throw FaultViolation("the other process ended with \(status)")
      }
    }

    /// Opens the file, waits, writes, and reports the outcome.
    ///
    /// This is the work of the other process.
    package static func run(_ operation: any FaultedOperation, in folder: String) throws {
      let handshake = try Handshake(at: folder, isMaking: false)
      let outcome = try operation.standBy(in: folder) { try handshake.ask() }
      try Data(outcome.utf8).write(to: URL(fileURLWithPath: "\(folder).outcome"))
    }

    /// Returns the outcome of the other process's write.
    static func outcome(in folder: String) throws -> String {
      try String(contentsOfFile: "\(folder).outcome", encoding: .utf8)
    }
  }
#endif
