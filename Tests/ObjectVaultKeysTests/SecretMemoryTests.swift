import Foundation
import ObjectVaultKeys
import ObjectVaultPlatform
import Testing

@Suite("The memory of a secret")
struct SecretMemoryTests {
  @Test("is zeros after wiping, to its last byte")
  func wipes() {
    let memory = SecretMemory(holding: 5000)
    defer { memory.release() }
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
      defer { memory.release() }
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

  @Test("knows the process whose it is, and a forked one asks anew")
  func knowsTheProcess() throws {
    #expect(ProcessNumber.current == getpid())
    #expect(ProcessNumber.current == getpid())
    #if os(Linux)
      // What is kept there is gone in a forked process.
      let place = try #require(ProcessNumber.place)
      #expect(try #require(try OwnMemory.flags(at: place)).contains("wf"))
    #endif
  }

  @Test("is nobody else's while a secret has it, and zeros when it begins")
  func isNotShared() async {
    await withTaskGroup(of: Bool.self) { group in
      for number in UInt8(1)...8 {
        group.addTask {
          (0..<2000).allSatisfy { turn in
            var secret = Secret(count: 1 + turn % 40)
            let wasZero = secret.withUnsafeBytes { $0.allSatisfy { $0 == 0 } }
            secret.withUnsafeMutableBytes { for index in $0.indices { $0[index] = number } }
            let other = Secret(count: 40)
            return wasZero && other.withUnsafeBytes { $0.allSatisfy { $0 == 0 } }
              && secret.withUnsafeBytes { $0.allSatisfy { $0 == number } }
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test("is kept for the next one of the same process, as far as there is room")
  func isKept() throws {
    let size = Int(sysconf(Int32(_SC_PAGESIZE)))
    func page() throws -> UnsafeMutableRawPointer {
      let page = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      return try #require(page != MAP_FAILED ? page : nil)
    }
    let spare = SparePages(pageSize: size)
    #expect(spare.take(for: 1) == nil)
    let pages = try (0...SparePages.capacity).map { _ in try page() }
    for kept in pages.dropLast() { #expect(spare.keep(kept, of: 1)) }
    let last = try #require(pages.last)
    #expect(!spare.keep(last, of: 1))
    munmap(last, size)
    let first = try #require(spare.take(for: 1))
    #expect(pages.dropLast().contains(first))
    // What is left belongs to the process that was forked from, whose locks this one lacks.
    #expect(spare.take(for: 2) == nil)
    #expect(spare.keep(first, of: 2))
    #expect(spare.take(for: 2) == first)
    #expect(spare.take(for: 2) == nil)
    munmap(first, size)
  }

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
