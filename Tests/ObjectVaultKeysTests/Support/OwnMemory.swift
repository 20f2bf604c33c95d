#if os(Linux)
  import Foundation
  import ObjectVaultKeys

  /// What the kernel says of this process's memory.
  enum OwnMemory {
    /// The `VmFlags` of the mapping that an address lies in.
    static func flags(at address: UInt) throws -> [String]? {
      var isInside = false
      for line in try text("/proc/self/smaps").split(separator: "\n") {
        if let range = range(line) {
          isInside = range.contains(address)
        } else if isInside, line.hasPrefix("VmFlags:") {
          return line.dropFirst(8).split(separator: " ").map(String.init)
        }
      }
      return nil
    }

    /// How often the bytes' complement stands in writable memory, its search aside.
    static func occurrences(ofComplementOf complement: [UInt8]) throws -> Int {
      let needle = complementing(complement)
      var window = Secret(count: 1 << 20)
      let ownAddresses = [
        needle.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) },
        window.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) },
      ]
      let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
      defer { close(memory) }
      var found = 0
      for line in try text("/proc/self/maps").split(separator: "\n") {
        guard let range = range(line), line.contains(" rw") else { continue }
        var offset = range.lowerBound
        while offset < range.upperBound {
          let start = offset
          let count = window.withUnsafeMutableBytes {
            pread(
              memory, $0.baseAddress, min($0.count, Int(range.upperBound - start)), off_t(start))
          }
          // The mapping may be gone by now.
          guard count > 0 else { break }
          found += window.withUnsafeBytes { window in
            needle.withUnsafeBytes { needle in
              positions(of: needle, in: UnsafeRawBufferPointer(rebasing: window.prefix(count)))
            }
          }.count { position in
            let address = start + UInt(position)
            return address != ownAddresses[0]
              && !(ownAddresses[1]..<(ownAddresses[1] + (1 << 20))).contains(address)
          }
          offset += UInt(count < 1 << 20 ? count : count - complement.count + 1)
        }
      }
      return found
    }

    static func writeComplement(of complement: [UInt8], to path: String) throws {
      let secret = complementing(complement)
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      defer { close(file) }
      let written = secret.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      guard written == complement.count else { throw CocoaError(.fileWriteUnknown) }
    }

    private static func complementing(_ bytes: [UInt8]) -> Secret {
      var secret = Secret(count: bytes.count)
      secret.withUnsafeMutableBytes { for index in $0.indices { $0[index] = ~bytes[index] } }
      return secret
    }

    private static func positions(
      of needle: UnsafeRawBufferPointer, in window: UnsafeRawBufferPointer
    ) -> [Int] {
      var found: [Int] = []
      var start = 0
      let last = window.count - needle.count
      while start <= last, let base = window.baseAddress, let sought = needle.baseAddress,
        let hit = memchr(base + start, Int32(needle[0]), last - start + 1)
      {
        let position = UnsafeRawPointer(hit) - base
        if memcmp(hit, sought, needle.count) == 0 { found.append(position) }
        start = position + 1
      }
      return found
    }

    /// The addresses that a line of `maps` begins with.
    private static func range(_ line: Substring) -> Range<UInt>? {
      let ends = line.prefix { $0 != " " }.split(separator: "-")
      guard ends.count == 2, let start = UInt(ends[0], radix: 16),
        let end = UInt(ends[1], radix: 16)
      else { return nil }
      return start..<end
    }

    private static func text(_ path: String) throws -> String {
      // These files have no length of their own, so they are read to the end.
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
  }
#endif
