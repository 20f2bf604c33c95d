#if os(Linux)
  import Foundation

  /// A byte sequence to search for.
  ///
  /// It is stored as its complement, so that a search does not find it.
  package struct Needle: Sendable {
    /// The name in messages.
    package let name: String
    let complement: [UInt8]

    package init(_ name: String, _ bytes: some Sequence<UInt8>) {
      self.name = name
      complement = bytes.map { ~$0 }
    }

    /// The bytes to search for.
    package var bytes: [UInt8] { complement.map { ~$0 } }

    /// Creates the needle from a line in the format of ``line``.
    init?(line: Substring) {
      let parts = line.split(separator: "\t")
      guard parts.count == 2 else { return nil }
      name = String(parts[0])
      complement = parts[1].split(separator: " ").compactMap { UInt8($0) }
    }

    /// The needle as a line of text.
    var line: String { "\(name)\t\(complement.map { "\($0)" }.joined(separator: " "))\n" }
  }

  /// A search in the writable memory of this process.
  package enum MemoryScan {
    /// Returns the needles that were found, each with the mapping that contains it.
    package static func find(_ needles: [Needle]) throws -> [String] {
      let window = Window()
      let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
      guard memory >= 0 else { throw CocoaError(.fileReadUnknown) }
      defer { close(memory) }
      let longest = needles.map(\.complement.count).max() ?? 0
      var found: [String] = []
      for line in try text("/proc/self/maps").split(separator: "\n") {
        guard let range = range(line), line.contains(" rw"), range.lowerBound != window.address
        else { continue }
        let place = line.split(separator: " ").dropFirst(5).joined(separator: " ")
        var offset = range.lowerBound
        while offset < range.upperBound {
          let wanted = min(Window.count, Int(range.upperBound - offset))
          let count = pread(memory, window.start, wanted, off_t(offset))
          // The mapping can have been removed.
          guard count > 0 else { break }
          for needle in needles where window.holds(needle.complement, within: count) {
            found.append("\(needle.name) in \(place.isEmpty ? "memory without a name" : place)")
          }
          offset += UInt(count < Window.count ? count : count - longest + 1)
        }
      }
      return Set(found).sorted()
    }

    /// Returns the address range at the beginning of a line of `maps`.
    private static func range(_ line: Substring) -> Range<UInt>? {
      let ends = line.prefix { $0 != " " }.split(separator: "-")
      guard ends.count == 2, let start = UInt(ends[0], radix: 16),
        let end = UInt(ends[1], radix: 16)
      else { return nil }
      return start..<end
    }

    private static func text(_ path: String) throws -> String {
      // These files report no length, so they are read to the end.
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
  }

  /// A buffer for the scanned memory and the current needle.
  ///
  /// It is a separate mapping, which the search skips.
  private struct Window: ~Copyable {
    static let count = 1 << 20
    /// The size of the area for the needle, which follows the scanned memory.
    private static let needleCount = 1 << 16
    private let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let start: UnsafeMutableRawPointer
    var address: UInt { UInt(bitPattern: start) }

    init() {
      // Inaccessible guard pages on both sides keep the system from merging the mapping with
      // others.
      let length = Self.count + Self.needleCount
      let whole = mmap(nil, length + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      guard let whole, whole != MAP_FAILED,
        mprotect(whole + page, length, PROT_READ | PROT_WRITE) == 0
      else { fatalError("no memory") }
      start = whole + page
    }

    deinit {
      munmap(start - page, Self.count + Self.needleCount + 2 * page)
    }

    borrowing func holds(_ complement: [UInt8], within count: Int) -> Bool {
      let needle = (start + Self.count).assumingMemoryBound(to: UInt8.self)
      for index in complement.indices { needle[index] = ~complement[index] }
      let last = count - complement.count
      var place = 0
      while place <= last, let hit = memchr(start + place, Int32(needle[0]), last - place + 1) {
        if memcmp(hit, needle, complement.count) == 0 { return true }
        place = UnsafeRawPointer(hit) - UnsafeRawPointer(start) + 1
      }
      return false
    }
  }
#endif
