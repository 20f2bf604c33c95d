internal import Foundation
internal import ObjectVaultCore
internal import ObjectVaultDriver
internal import ObjectVaultServer
internal import ObjectVaultSession
internal import TestSupport

/// Writes and reads through several vaults, until the standard input ends.
///
/// Each worker has its own connections. A line in a file records each result, with the time:
///
/// - `ACK WORKER NUMBER TIME`: a write that the server has acknowledged.
/// - `ERROR WORKER NUMBER TIME CODE SECONDS`: a call that threw, and the seconds that it took; after
///   an acknowledgement of the same number, the read that followed it.
/// - `READ WORKER NUMBER TIME SERVER`: a read that found the object; from a replica or the primary.
/// - `STALE WORKER NUMBER TIME SERVER`: a read that missed an object of the same process.
struct FailoverLoad: Sendable {
  private struct Usage: Error {}

  /// The workers whose transactions are run again after an error.
  private static let retrying = 0..<3
  /// The workers that write each object once, whatever happens.
  private static let plain = 10..<12
  /// The workers that read what they wrote, on a replica.
  private static let reading = 20..<22
  private static let retryLimit = Duration.seconds(120)

  private let address: String
  private let timeLimit: Duration
  private let file: FileHandle

  init(_ arguments: ArraySlice<String>) throws {
    let arguments = Array(arguments)
    guard arguments.count == 3, let seconds = Double(arguments[1]) else { throw Usage() }
    address = arguments[0]
    timeLimit = .seconds(seconds)
    _ = FileManager.default.createFile(atPath: arguments[2], contents: nil)
    file = try FileHandle(forWritingTo: URL(fileURLWithPath: arguments[2]))
  }

  func run() throws {
    // One worker after the other creates what it needs, before the first failure.
    for worker in Self.retrying { try start(worker, write: writeRetrying) }
    for worker in Self.plain { try start(worker, write: writeOnce) }
    for worker in Self.reading {
      try start(worker, readPreference: .replica, write: writeAndRead)
    }
    _ = FileHandle.standardInput.readDataToEndOfFile()
    exit(0)
  }

  /// Calls `write` with growing numbers on a thread.
  private func start(
    _ worker: Int, readPreference: SharedVaultConfiguration.ReadPreference = .primary,
    write: @escaping @Sendable (Int, Int, SharedVault, ObjectStore<ServerTransfer>) throws -> Void
  ) throws {
    var configuration = SharedVaultConfiguration()
    configuration.timeLimit = timeLimit
    configuration.security = .unprotected
    configuration.readPreference = readPreference
    let vault = try SharedVault(
      at: "\(address)?application_name=load\(worker)", configuration: configuration)
    let transfers = try vault.store(of: ServerTransfer.self)
    Thread.detachNewThread {
      for number in 1... {
        let begin = ContinuousClock.now
        do {
          try write(worker, number, vault, transfers)
        } catch {
          let code = (error as? VaultError)?.code.description ?? "\(error)"
          log("ERROR", worker, number, "\(code) \((ContinuousClock.now - begin) / .seconds(1))")
        }
        Thread.sleep(forTimeInterval: 0.02)
      }
    }
  }

  private func writeRetrying(
    _ worker: Int, _ number: Int, _ vault: SharedVault, _ transfers: ObjectStore<ServerTransfer>
  ) throws {
    try vault.transaction(retryingFor: Self.retryLimit) {
      try transfers.insert(ServerTransfer(worker: worker, number: number))
    }
    log("ACK", worker, number)
  }

  private func writeOnce(
    _ worker: Int, _ number: Int, _ vault: SharedVault, _ transfers: ObjectStore<ServerTransfer>
  ) throws {
    try transfers.insert(ServerTransfer(worker: worker, number: number))
    log("ACK", worker, number)
  }

  private func writeAndRead(
    _ worker: Int, _ number: Int, _ vault: SharedVault, _ transfers: ObjectStore<ServerTransfer>
  ) throws {
    let id = try vault.transaction(retryingFor: Self.retryLimit) {
      try transfers.insert(ServerTransfer(worker: worker, number: number)).objectID
    }
    log("ACK", worker, number)
    let isFound = try id.flatMap { try transfers.find($0) } != nil
    let isReplica = try vault.opened().read { session in
      try session.with("SELECT pg_is_in_recovery()") { try $0.holds() }
    }
    log(isFound ? "READ" : "STALE", worker, number, isReplica ? "replica" : "primary")
  }

  private func log(_ kind: String, _ worker: Int, _ number: Int, _ rest: String = "") {
    let line = "\(kind) \(worker) \(number) \(Date().timeIntervalSince1970) \(rest)\n"
    try? file.write(contentsOf: Data(line.utf8))
  }
}
