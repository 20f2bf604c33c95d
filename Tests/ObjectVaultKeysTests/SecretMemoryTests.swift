import Foundation
import ObjectVaultKeys
import Testing

@Suite("The memory of a secret")
struct SecretMemoryTests {
  @Test("is zeros after wiping, to its last byte")
  func wipes() {
    let memory = SecretMemory(holding: 5000)
    defer { memory.unmap() }
    let bytes = UnsafeMutableRawBufferPointer(start: memory.start, count: memory.mappedCount)
    for index in bytes.indices { bytes[index] = 0xa5 }
    memory.wipe()
    #expect(memory.mappedCount >= 5000)
    #expect(bytes.allSatisfy { $0 == 0 })
  }

  #if os(Linux)
    @Test("is left out of core dumps, emptied in forked children, and locked as reported")
    func hasTheFlags() throws {
      let memory = SecretMemory(holding: 1)
      defer { memory.unmap() }
      let flags = try #require(try OwnMemory.flags(at: UInt(bitPattern: memory.start)))
      #expect(flags.contains("dd"))
      #expect(flags.contains("wf"))
      #expect(flags.contains("lo") == (memory.lockFailure == nil))
    }

    @Test("is all there is of a key file's content, and nothing is left of it at the end")
    func leavesNoCopyBehind() throws {
      let folder = try TemporaryFolder()
      let path = folder.path("key")
      // Only the complement is ever kept in ordinary memory, so that the scan finds the library's
      // copies and not the test's own.
      let complement = (0..<48).map { _ in ~UInt8.random(in: 33...126) }
      try OwnMemory.writeComplement(of: complement, to: path)

      var key: ResolvedKey? = try VaultKey.source(.file(path)).resolve()
      #expect(key?.secret.count == 48)
      #expect(try OwnMemory.occurrences(ofComplementOf: complement) > 0)
      key = nil
      #expect(try OwnMemory.occurrences(ofComplementOf: complement) == 0)
    }
  #endif

  @Test("tells the doctor whether it can be locked, with the system's reason where not")
  func reportsLocking() {
    let secret = Secret(count: 1)
    let failure = MemoryLocking.failure()
    if secret.isLockedInMemory {
      #expect(failure == nil)
    } else {
      #expect(failure?.isEmpty == false)
    }
  }
}
