import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@testable import ObjectVaultServer

/// Observations while their server fails, with servers of the tests' own.
@Suite("Observations of a server that fails", .enabled(if: OwnServer.isPossible), .serialized)
struct ObservedLossTests {
  private typealias Keeper = OwnedServerTests.Keeper
  private typealias Toy = OwnedServerTests.Toy

  @Test(
    "continue although reads were due while it was stopped or frozen", .timeLimit(.minutes(3)),
    arguments: [false, true])
  func continuing(isFrozen: Bool) async throws {
    let server = try OwnServer()
    var configuration = SharedVaultConfiguration()
    configuration.timeLimit = .seconds(2)
    configuration.observationInterval = .seconds(3600)
    let vault = try SharedVault(at: server.address, configuration: configuration)
    defer { vault.close() }
    // Owned objects are read in a read scope, where no read runs again.
    let keepers = try await vault.store(of: Keeper.self)
    try await keepers.insert(Keeper(name: "a", toys: [Toy(name: "x")]))
    let database = try ServerDatabase.of(vault)
    for try await found in keepers.observe() {
      if found.count == 2 { break }
      if isFrozen { server.freeze() } else { try server.stop(.fast) }
      Thread.detachNewThread {
        for _ in 0..<40 {
          // A read is due.
          database.noteForeignCommit()
          Thread.sleep(forTimeInterval: 0.1)
        }
        if isFrozen { server.thaw() } else { try? server.start() }
        _ = try? vault.transaction(retryingFor: .seconds(60)) {
          try keepers.insert(Keeper(name: "b"))
        }
      }
    }
    #expect(try await keepers.count() == 2)
  }
}
