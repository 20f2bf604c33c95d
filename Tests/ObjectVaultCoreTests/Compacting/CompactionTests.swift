import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("Compacting a vault") struct CompactionTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("school.vault")
  }

  private let kept = (0..<100).map { MarkedObject("kept", number: $0) }

  /// Returns a vault with 2,000 objects, of which 1,900 were removed.
  private func vaultWithFreeSpace(
    _ key: VaultKey = .ofTests, _ configuration: VaultConfiguration = VaultConfiguration()
  ) throws -> Vault {
    let vault = try Vault(at: path, key: key, configuration: configuration)
    let store = try vault.store(of: MarkedObject.self)
    try store.insert(contentsOf: kept + (0..<1_900).map { MarkedObject("removed", number: $0) })
    try store.where("id BEGINSWITH 'removed'").remove()
    try vault.checkpoint()
    return vault
  }

  private func size() throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
  }

  @Test("The file becomes smaller, and every handle continues with all objects", .covers("F1"))
  func smaller() throws {
    let vault = try vaultWithFreeSpace()
    let other = try Vault(at: path, key: .ofTests)
    #expect(try other.store(of: MarkedObject.self).count() == 100)
    let before = try size()
    let cipher = try vault.cipherInfo()
    let salt = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(16)
    var phases: Set<RekeyProgress.Phase> = []
    let result = try vault.compact { phases.insert($0.phase) }
    #expect(result.bytesBefore == before)
    #expect(try result.bytesAfter == size())
    #expect(result.bytesFreed == before - result.bytesAfter)
    #expect(result.bytesAfter < before / 5)
    #expect(phases.isSuperset(of: [.copying, .verifying, .comparing, .replacing]))
    #expect(try vault.cipherInfo() == cipher)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(16) != salt)
    for handle in [vault, other] {
      let store = try handle.store(of: MarkedObject.self)
      #expect(try store.all().map(\.text) == kept.map(\.text))
      try store.insert(MarkedObject("later", number: 100))
      try store.where("id BEGINSWITH 'later'").remove()
    }
    #expect(try vault.sizeReport().freeBytes == 0)
    #expect(try vault.verify().isSound)
    // There is nothing left to remove.
    #expect(try vault.compact().bytesFreed == 0)
  }

  @Test("A vault keeps its keyring, its slots and its identity", .covers("F1"))
  func keyring() throws {
    let slot = SlotKey.raw(1...32)
    let vault = try vaultWithFreeSpace(.keyring(slot))
    let keyring = try #require(try vault.openKeyring())
    try keyring.addSlot("second", .raw(2...33), unlockedBy: slot)
    try vault.compact()
    vault.close()
    for key in [slot, SlotKey.raw(2...33)] {
      let opened = try Vault(at: path, key: .keyring(key))
      #expect(try opened.store(of: MarkedObject.self).count() == 100)
      opened.close()
    }
    #expect(throws: VaultError.self) {
      try Vault(at: path, key: .keyring(.raw(3...34))).store(of: MarkedObject.self).count()
    }
  }

  @Test("Without blocking the thread, the same happens, and cancellation changes nothing")
  func withoutBlocking() async throws {
    let vault = try await onOwnThread { try vaultWithFreeSpace() }
    let before = try size()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await vault.compact()
    }
    let error = await #expect(throws: VaultError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(try size() == before)
    #expect(try await vault.compact().bytesFreed > before / 2)
  }

  @Test("In memory, in a transaction and read-only, nothing can be compacted")
  func notPossible() throws {
    let vault = try vaultWithFreeSpace()
    #expect(
      thrown { try vault.transaction { _ = try vault.compact() } }?.code == .invalidArgument)
    vault.close()
    var reading = VaultConfiguration()
    reading.isReadOnly = true
    let reader = try Vault(at: path, key: .ofTests, configuration: reading)
    #expect(thrown { try reader.compact() }?.code == .readOnly)
    #expect(thrown { try Vault.inMemory().compact() }?.code == .invalidArgument)
  }

  // MARK: When the vault is opened

  private func opened(by rule: CompactionRule, in size: Int) throws -> Bool {
    var configuration = VaultConfiguration()
    configuration.compaction = rule
    let vault = try Vault(at: path, key: .ofTests, configuration: configuration)
    #expect(try vault.store(of: MarkedObject.self).count() == 100)
    vault.close()
    return try self.size() < size
  }

  @Test("A rule compacts the file when it is opened, if both limits are reached", .covers("F2"))
  func rule() throws {
    try vaultWithFreeSpace().close()
    let before = try size()
    #expect(try !opened(by: .whenFree(), in: before))
    #expect(try !opened(by: .whenFree(.kibibytes(1), fraction: 0.99), in: before))
    #expect(try !opened(by: .whenFree(.bytes(before), fraction: 0), in: before))
    #expect(try opened(by: .whenFree(.kibibytes(64), fraction: 0.5), in: before))
    let compacted = try size()
    #expect(try !opened(by: .whenFree(.bytes(0), fraction: -1), in: compacted))
  }

  @Test("A vault that another process has open is opened without being compacted", .covers("F2"))
  func openElsewhere() throws {
    try vaultWithFreeSpace().close()
    let before = try size()
    let holder = try HoldingChild("file-hold", FileOperation.compact.rawValue, path, "open")
    let clock = ContinuousClock()
    var configuration = VaultConfiguration()
    configuration.compaction = .whenFree(.kibibytes(64), fraction: 0.5)
    configuration.busyTimeout = .seconds(60)
    let vault = try Vault(at: path, key: .ofTests, configuration: configuration)
    let begin = clock.now
    #expect(try vault.store(of: MarkedObject.self).count() >= 100)
    let duration = clock.now - begin
    // It does not wait for the other process.
    #expect(duration < .seconds(30))
    vault.close()
    _ = try holder.end()
    #expect(try size() >= before)
    #expect(!FileManager.default.fileExists(atPath: path + ".rekeying"))
  }
}
