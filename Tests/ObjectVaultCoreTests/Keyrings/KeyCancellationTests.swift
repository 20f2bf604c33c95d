import Foundation
import ObjectVaultCore
import ObjectVaultKeys
import Synchronization
import TestSupport
import Testing

@Suite("Cancellation while a vault is opened")
struct KeyCancellationTests {
  /// The state of a key that waits for a person.
  private final class Wait: Sendable {
    let hasBegun = Atomic(false)
    let wasCancelled = Atomic(false)

    /// Waits until the operation is cancelled, at most 20 seconds, and throws an error.
    func key() throws -> Secret {
      hasBegun.store(true, ordering: .sequentiallyConsistent)
      for _ in 0..<2_000 {
        if KeyCancellation.isCancelled?() == true {
          wasCancelled.store(true, ordering: .sequentiallyConsistent)
          break
        }
        usleep(10_000)
      }
      throw CocoaError(.userCancelled)
    }
  }

  @Test("A key that waits learns that the task is cancelled, and opening throws .cancelled")
  func cancellation() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("school.vault")
    try await Vault(at: path, key: .keyring(.raw([UInt8](repeating: 7, count: 32)))).open()

    let wait = Wait()
    let key = VaultKey.keyring(.source(.closure { try wait.key() }, as: .raw))
    let task = Task { try await Vault(at: path, key: key).open() }
    while !wait.hasBegun.load(ordering: .sequentiallyConsistent) {
      try await Task.sleep(for: .milliseconds(5))
    }
    task.cancel()
    let error = await #expect(throws: VaultError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    let wasCancelled = wait.wasCancelled.load(ordering: .sequentiallyConsistent)
    #expect(wasCancelled)
  }
}
