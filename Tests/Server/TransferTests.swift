import Foundation
import ObjectVaultCore
import ObjectVaultServer
import Synchronization
import TestSupport
import Testing

/// Transfers between accounts by several processes, whose connections and server end at random
/// moments.
@Suite("Transfers on a PostgreSQL server", .enabled(if: OwnServer.isPossible))
struct TransferTests {
  private static let opening = 100

  /// The duration of the transfers: 12 seconds, or the value of the environment.
  private static var seconds: Double {
    ProcessInfo.processInfo.environment["OBJECTVAULT_SERVER_SECONDS"].flatMap(Double.init) ?? 12
  }

  /// The interruptions.
  private struct Interruptions {
    var ended = 0
    var restarts: [OwnServer.Stop: Int] = [:]
  }

  @Test("keep the sum, and each is stored once, although connections and the server end")
  func transfers() throws {
    let server = try OwnServer()
    let folder = try TemporaryFolder()
    var configuration = SharedVaultConfiguration()
    configuration.schema = "bank"
    let vault = try SharedVault(at: server.address, configuration: configuration)
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    let transfers = try vault.store(of: ServerTransfer.self)
    try accounts.insert(
      contentsOf: (0..<ServerTransfer.accountCount).map {
        Account(number: $0, balance: Self.opening)
      })

    let files = (1...4).map { folder.file("\($0)") }
    let children = try files.enumerated().map { index, file in
      _ = FileManager.default.createFile(atPath: file, contents: nil)
      return try SpawnedProgram.start(
        "serverchild",
        ["transfers", server.address, "bank", "\(Self.seconds)", "\(index + 1)", file],
        output: file + ".errors")
    }
    // All have opened the database, which does not wait for a server.
    while files.contains(where: { (try? lines(of: $0).isEmpty) != false }),
      !children.contains(where: \.hasEnded)
    {
      Thread.sleep(forTimeInterval: 0.05)
    }
    let interruptions = try interrupt(server, while: children)
    for (child, file) in zip(children, files) {
      let end = child.wait()
      let errors = try String(contentsOfFile: file + ".errors", encoding: .utf8)
      #expect(end == (0, true), "\(errors)")
    }

    let acknowledged = try files.flatMap(lines)
    let stored = try transfers.all().map { "\($0.worker) \($0.number)" }
    print(
      "\(acknowledged.count) transfers by 4 processes, \(interruptions.ended) connections ended, "
        + "restarts: \(interruptions.restarts.map { "\($1) \($0)" }.sorted())")
    #expect(interruptions.ended > 0)
    for way in OwnServer.Stop.allCases { #expect(interruptions.restarts[way, default: 0] > 0) }
    #expect(acknowledged.count > 0)
    #expect(Set(acknowledged) == Set(stored))
    #expect(stored.count == acknowledged.count)
    let balances = try accounts.all().map(\.balance)
    #expect(balances.count == ServerTransfer.accountCount)
    #expect(balances.reduce(0, +) == ServerTransfer.accountCount * Self.opening)
  }

  private func lines(of file: String) throws -> [String] {
    try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// Ends connections, and restarts the server every two or three seconds.
  private func interrupt(
    _ server: OwnServer, while children: [SpawnedProgram]
  ) throws -> Interruptions {
    var done = Interruptions()
    var way = OwnServer.Stop.fast
    while !children.allSatisfy(\.hasEnded) {
      for _ in 0..<Int.random(in: 8...12) where !children.allSatisfy(\.hasEnded) {
        Thread.sleep(forTimeInterval: .random(in: 0.05...0.25))
        try server.execute(
          "SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity "
            + "WHERE application_name LIKE 'transfer%' ORDER BY random() LIMIT 1) AS p")
        done.ended += 1
      }
      try server.stop(way)
      Thread.sleep(forTimeInterval: .random(in: 0...0.5))
      try server.start()
      done.restarts[way, default: 0] += 1
      way = way == .fast ? .immediate : .fast
    }
    return done
  }
}
