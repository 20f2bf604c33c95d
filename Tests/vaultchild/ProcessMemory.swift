#if os(Linux)
  internal import Foundation

  /// The memory of this process in KiB, as counted by the kernel (man 5 proc).
  enum ProcessMemory {
    /// Returns the current size and resets the peak.
    static func now() throws -> Int {
      try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
      return try line("VmRSS")
    }

    /// Returns the peak since then.
    static func most() throws -> Int { try line("VmHWM") }

    /// Returns the size of the address space.
    static func reserved() throws -> Int { try line("VmSize") }

    private static func line(_ name: String) throws -> Int {
      let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      return line?.split { $0 == " " || $0 == "\t" }.compactMap { Int($0) }.first ?? 0
    }
  }
#endif
