import Foundation
import ObjectVaultCore
import Synchronization
import TestSupport
import Testing

import ObjectVaultServer

/// Calls of many threads and tasks, with servers of the tests' own.
@Suite("Calls that wait for a frozen server", .enabled(if: OwnServer.isPossible), .serialized)
struct WaitingTests {
  private func vault(of server: OwnServer) throws -> SharedVault {
    var configuration = SharedVaultConfiguration()
    configuration.timeLimit = .seconds(2)
    return try SharedVault(at: server.address, configuration: configuration)
  }

  /// Makes a call on each of ten threads at once.
  ///
  /// - Parameter call: The call, with the number of the thread.
  /// - Returns: The codes of the errors, in the order in which the calls ended, and the time until
  ///   the last one.
  private func calling(
    _ call: @escaping @Sendable (Int) throws -> Void
  ) -> (codes: [VaultError.Code?], time: Duration) {
    let codes = Mutex<[VaultError.Code?]>([])
    let ended = DispatchSemaphore(value: 0)
    let time = ContinuousClock().measure {
      for number in 1...10 {
        Thread.detachNewThread {
          let code: VaultError.Code?
          do {
            try call(number)
            code = nil
          } catch {
            code = (error as? VaultError)?.code
          }
          codes.withLock { $0.append(code) }
          ended.signal()
        }
      }
      for _ in 1...10 { ended.wait() }
    }
    return (codes.withLock { $0 }, time)
  }

  @Test("first calls end together", .timeLimit(.minutes(2))) func first() throws {
    let server = try OwnServer()
    let vault = try vault(of: server)
    defer { vault.close() }
    server.freeze()
    let (codes, time) = calling { _ in try vault.open() }
    #expect(codes == [VaultError.Code?](repeating: .cannotOpen, count: 10))
    // One attempt to connect has 2 seconds.
    #expect(time < .seconds(8))
    server.thaw()
    try vault.open()
  }

  @Test("writes end together", .timeLimit(.minutes(2)))
  func writes() throws {
    let server = try OwnServer()
    let vault = try vault(of: server)
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    try accounts.insert(Account(number: 0, balance: 1))
    server.freeze()
    defer { server.thaw() }
    let (codes, time) = calling { number in
      try accounts.insert(Account(number: number, balance: 1))
    }
    // The first one may have been sent with its commit.
    let first = codes.filter { $0 != .connectionLost }
    #expect([[], [.commitUnknown]].contains(first))
    // The limit of the first one, and one attempt to connect.
    #expect(time < .seconds(8))
  }

  @Test("asynchronous reads end together", .timeLimit(.minutes(3)))
  func reads() async throws {
    let server = try OwnServer()
    let vault = try vault(of: server)
    defer { vault.close() }
    let accounts = try await vault.store(of: Account.self)
    #expect(try await accounts.count() == 0)
    server.freeze()
    defer { server.thaw() }
    let start = ContinuousClock.now
    let codes = await withTaskGroup(of: VaultError.Code?.self) { group in
      for _ in 0..<50 {
        group.addTask {
          do {
            _ = try await accounts.count()
            return nil
          } catch {
            return (error as? VaultError)?.code
          }
        }
      }
      return await group.reduce(into: [VaultError.Code?]()) { $0.append($1) }
    }
    #expect(codes == [VaultError.Code?](repeating: .connectionLost, count: 50))
    // An attempt of each of the four connections for each read would take 25 seconds.
    #expect(ContinuousClock.now - start < .seconds(15))
  }
}
