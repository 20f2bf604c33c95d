import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@testable import ObjectVaultDriver
@testable import ObjectVaultMaintenance

@Suite("The state of a keyring", .cheapSlots)
struct KeyringStateTests {
  @Test("A keyring is not removed when its file has just replaced another one")
  func replacedMeanwhile() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("school.vault")
    let (raw, owner) = (VaultKey.raw(51...82), SlottedVault.owner)
    try create(at: path, raw)
    let identity = HeldFile.Identity(path: path)
    let announced = DispatchSemaphore(value: 0)
    let mayReplace = DispatchSemaphore(value: 0)
    let limit = DispatchTimeInterval.seconds(60)
    let rekeying = WorkOnThread {
      try DatabaseFile(at: path, key: raw).rekey(to: .keyring(owner)) {
        guard $0.phase == .replacing, $0.done == 0 else { return }
        announced.signal()
        _ = mayReplace.wait(timeout: .now() + limit)
      }
    }
    let removal = WorkOnThread {
      _ = announced.wait(timeout: .now() + limit)
      let keyring = try VaultKeyring(ofVaultAt: path)
      let replace: @Sendable () -> Void = {
        mayReplace.signal()
        let end = ContinuousClock.now + .seconds(60)
        while HeldFile.Identity(path: path) == identity, .now < end { usleep(1_000) }
        // The lock of the copy is released after the replacement.
        usleep(200_000)
      }
      return try VaultKeyring.$beforeReadingState.withValue(replace) {
        try keyring.removeIfNeverFinished()
      }
    }
    #expect(try await !removal.result())
    _ = try await rekeying.result()
    #expect(try VaultKeyring(ofVaultAt: path).state == .matches)
    #expect(try count(at: path, .keyring(owner)) == 1)
  }

  private func create(at path: String, _ key: VaultKey) throws {
    let vault = try Vault(at: path, key: key)
    try vault.store(of: Person.self).insert(Person(name: "marker"))
    vault.close()
  }

  private func count(at path: String, _ key: VaultKey) throws -> Int {
    let vault = try Vault(at: path, key: key)
    defer { vault.close() }
    return try vault.store(of: Person.self).count()
  }
}
