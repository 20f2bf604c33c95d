import Foundation
import Testing

@testable import ObjectVaultCore

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

  @Test(
    "large memory is asked for in large pages", .enabled(if: canBeAsked),
    arguments: [64 << 20, 5 << 20])
  func largeMemory(size: Int) throws {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { memory.deallocate() }
    LargePages.prefer(for: UnsafeRawBufferPointer(memory))
    let middle = UInt(bitPattern: memory.baseAddress) + UInt(size / 2)
    #expect(try flags(of: middle).contains("hg"))
  }

  @Test("small memory, and none, are left alone", .enabled(if: canBeAsked))
  func smallMemory() throws {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 3 << 20, alignment: 16)
    defer { memory.deallocate() }
    LargePages.prefer(for: UnsafeRawBufferPointer(memory))
    LargePages.prefer(for: UnsafeRawBufferPointer(start: nil, count: 0))
    let middle = UInt(bitPattern: memory.baseAddress) + UInt(memory.count / 2)
    let found = try flags(of: middle)
    #expect(found.contains("rd"))
    #expect(!found.contains("hg"))
  }
}
