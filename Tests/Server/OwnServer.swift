import Foundation
import Synchronization
import TestSupport

/// A PostgreSQL server of one test, which the test stops, starts and freezes.
///
/// Scripts/server names the programs of PostgreSQL and a folder in which the user of the server may
/// write.
final class OwnServer: Sendable {
  /// A way to stop a server.
  enum Stop: String, CaseIterable {
    case fast, immediate
  }

  struct Failure: Error {
    let command: String
    let output: String
  }

  private static let programs = variable("OBJECTVAULT_SERVER_PROGRAMS")
  private static let parent = variable("OBJECTVAULT_SERVER_FOLDER")
  private static let lastNumber = Atomic<Int>(0)

  /// Whether a test can start servers.
  static let isPossible = programs != nil && parent != nil

  private static func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name]
  }

  /// The folder with the socket.
  let folder: String
  private var data: String { "\(folder)/data" }

  /// The address. Commits wait until they are written, unlike those of the common server.
  var address: String {
    "host=\(folder) user=vault dbname=postgres" + (hasTLS ? " port=\(port)" : "")
  }

  /// Creates and starts a server.
  convenience init() throws {
    try self.init { folder in
      try Self.run(
        "initdb", "-D", "\(folder)/data", "-U", "vault", "-A", "trust", "-E", "UTF8",
        "--locale=C", "--no-sync", "--no-instructions")
    }
  }

  /// Creates and starts a replica of a server.
  convenience init(replicaOf primary: OwnServer) throws {
    try self.init { folder in
      try Self.run(
        "pg_basebackup", "-D", "\(folder)/data", "-d", primary.address, "-R", "-c", "fast",
        "--no-sync")
    }
  }

  private init(_ create: (String) throws -> Void) throws {
    let number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    folder = "\(Self.parent ?? "")/\(ProcessInfo.processInfo.processIdentifier)-\(number)"
    try Self.execute("/bin/mkdir", ["-m", "700", folder])
    try create(folder)
    try start()
  }

  deinit {
    thaw()
    try? stop(.immediate)
    try? FileManager.default.removeItem(atPath: folder)
  }

  func start() throws {
    try Self.run(
      "pg_ctl", "start", "-w", "-s", "-D", data, "-l", "\(folder)/log", "-o",
      "-k \(folder) -c fsync=off -c full_page_writes=off "
        + (hasTLS ? "" : "-c listen_addresses= ")
        + "-c deadlock_timeout=100ms -c max_connections=100")
  }

  func stop(_ way: Stop) throws {
    try Self.run("pg_ctl", "stop", "-w", "-s", "-D", data, "-m", way.rawValue)
  }

  /// Makes a replica the primary.
  func promote() throws { try Self.run("pg_ctl", "promote", "-w", "-s", "-D", data) }

  /// Runs SQL outside of any vault.
  func execute(_ sql: String) throws {
    try Self.run("psql", "-X", "-q", "-d", address, "-c", sql)
  }

  /// Ends the connections of all programs.
  func endConnections() throws {
    try execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        + "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()")
  }

  /// Makes commits wait for a replica.
  ///
  /// - Parameter name: The name of the replica; `nil` to wait for none.
  /// - Throws: ``Failure`` if the server rejects the settings.
  func waitForReplica(_ name: String?) throws {
    try execute(
      name.map { "ALTER SYSTEM SET synchronous_standby_names TO '\($0)'" }
        ?? "ALTER SYSTEM RESET synchronous_standby_names")
    try execute("SELECT pg_reload_conf()")
  }

  // MARK: TLS

  private var certificates: String { "\(folder)/certificates" }
  private var hasTLS: Bool { FileManager.default.fileExists(atPath: certificates) }

  /// The port of this machine that the server listens on after ``listenWithTLS(as:)``.
  var port: UInt16 {
    let file = try? String(contentsOfFile: "\(data)/postmaster.pid", encoding: .utf8)
    let lines = file?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    return lines.count > 3 ? UInt16(lines[3]) ?? 0 : 0
  }

  /// Makes the server listen on the loopback address, where it requires TLS.
  ///
  /// - Parameter name: The host name in its certificate.
  /// - Returns: The certificates.
  /// - Throws: ``Failure`` if the server does not start again.
  func listenWithTLS(as name: String) throws -> Certificates {
    let created = try Certificates(for: name, in: certificates)
    for setting in [
      "ssl TO on", "ssl_cert_file TO '\(created.certificate)'",
      "ssl_key_file TO '\(created.key)'", "listen_addresses TO '127.0.0.1'",
      "port TO \(try Relay.freePort())",
    ] {
      try execute("ALTER SYSTEM SET \(setting)")
    }
    try stop(.fast)
    try start()
    return created
  }

  // MARK: Freezing

  /// Stops all processes of the server without ending them.
  func freeze() { for process in processes { kill(process, SIGSTOP) } }

  /// Continues the processes.
  func thaw() { for process in processes.reversed() { kill(process, SIGCONT) } }

  /// The processes of the server, first the one that has started the others.
  private var processes: [Int32] {
    let file = try? String(contentsOfFile: "\(data)/postmaster.pid", encoding: .utf8)
    guard let line = file?.split(separator: "\n").first, let first = Int32(line) else { return [] }
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let others = all.compactMap { Int32($0) }.filter { process in
      // The second field is the name in parentheses, the fourth one the parent.
      let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      let fields = status?.split(separator: ")").last?.split(separator: " ") ?? []
      return fields.count > 1 && Int32(fields[1]) == first
    }
    return [first] + others
  }

  // MARK: Programs

  private static func run(_ program: String, _ arguments: String...) throws {
    try execute("\(programs ?? "")/\(program)", arguments)
  }

  /// Runs a program as the user of the server, which is not root.
  static func execute(_ program: String, _ arguments: [String]) throws {
    let isRoot = geteuid() == 0
    let user = ["--reuid=postgres", "--regid=postgres", "--init-groups", program]
    // Not Foundation's Process, which waits for every process that inherits a descriptor of it.
    let ended = try SpawnedProgram.run(
      isRoot ? "/usr/bin/setpriv" : program, isRoot ? user + arguments : arguments)
    guard ended.exited, ended.status == 0 else {
      throw Failure(
        command: ([program] + arguments).joined(separator: " "),
        output: ended.output + ended.errors)
    }
  }
}
