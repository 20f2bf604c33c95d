import Foundation
import Testing

import ObjectVaultCore

@testable import ObjectVaultStores

@Suite("Large pages for long lists") struct LargePagesTests {
  private static let canBeAsked = FileManager.default.fileExists(
    atPath: "/sys/kernel/mm/transparent_hugepage")

  /// What the system says of the memory at an address: `hg` where large pages were asked for.
  private func flags(of address: UInt) throws -> [Substring] {
    // A file whose size is said to be 0, of which no call may take one piece for all.
    let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps"))
    var bytes = Data()
    while let more = try file.read(upToCount: 4096), !more.isEmpty { bytes += more }
    let maps = String(decoding: bytes, as: UTF8.self)
    var isThere = false
    for line in maps.split(separator: "\n") {
      if line.hasPrefix("VmFlags:") {
        if isThere { return line.split(separator: " ").dropFirst().map { $0 } }
      } else if let range = line.split(separator: " ").first?.split(separator: "-"),
        range.count == 2, let start = UInt(range[0], radix: 16), let end = UInt(range[1], radix: 16)
      {
        isThere = (start..<end).contains(address)
      }
    }
    return []
  }

  /// What the system says of memory of so many bytes for which large pages were preferred.
  ///
  /// New memory, straight from the system: what `malloc` gives may have been asked for before.
  private func flags(ofMiddleOf size: Int) throws -> [Substring] {
    let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    try #require(start != MAP_FAILED)
    defer { munmap(start, size) }
    LargePages.prefer(for: UnsafeRawBufferPointer(start: start, count: size))
    return try flags(of: UInt(bitPattern: start) + UInt(size / 2))
  }

  @Test(
    "large memory is asked for in large pages", .enabled(if: canBeAsked),
    arguments: [64 << 20, 5 << 20])
  func largeMemory(size: Int) throws {
    #expect(try flags(ofMiddleOf: size).contains("hg"))
  }

  @Test("small memory, and none, are left alone", .enabled(if: canBeAsked))
  func smallMemory() throws {
    LargePages.prefer(for: UnsafeRawBufferPointer(start: nil, count: 0))
    let found = try flags(ofMiddleOf: 3 << 20)
    #expect(found.contains("rd"))
    #expect(!found.contains("hg"))
  }
}
