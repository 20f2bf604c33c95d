#if os(Linux)
  internal import Foundation

  /// The memory of this process, in KiB, as the kernel counts it (man 5 proc).
  enum ProcessMemory {
    /// What it has; the highest mark is counted from here on.
    static func now() throws -> Int {
      try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
      return try line("VmRSS")
    }

    /// The most that it had since then.
    static func most() throws -> Int { try line("VmHWM") }

    private static func line(_ name: String) throws -> Int {
      let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      return line?.split { $0 == " " || $0 == "\t" }.compactMap { Int($0) }.first ?? 0
    }
  }
#endif
