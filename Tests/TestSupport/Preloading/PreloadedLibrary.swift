#if os(Linux)
  import Foundation

  /// A library in C that stands before others in a program which a test starts.
  ///
  /// It is compiled when the first test needs it, into the folder of the programs. Linux only: macOS
  /// preloads into no program in this way.
  package struct PreloadedLibrary: Sendable {
    private let path: String

    /// - Parameters:
    ///   - source: Its one file, below `Tests`.
    ///   - name: The name of the compiled file.
    package init(_ source: String, as name: String) throws {
      let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      let source = tests.appendingPathComponent(source).path
      path = ChildProcess.programs.appendingPathComponent(name).path
      if try !Self.isNewer(path, than: source) { try Self.compile(source, to: path) }
    }

    /// What a program must find in its environment; an engine that is preloaded stays so.
    package var environment: [String: String] {
      let preloaded = ProcessInfo.processInfo.environment["LD_PRELOAD"]
      return ["LD_PRELOAD": [path, preloaded].compactMap { $0 }.joined(separator: ":")]
    }

    /// What a program with an engine of its own must find in its environment.
    package var environmentOfStranger: [String: String] { ["LD_PRELOAD": path] }

    private static func isNewer(_ file: String, than other: String) throws -> Bool {
      let manager = FileManager.default
      guard manager.fileExists(atPath: file) else { return false }
      let dates = try [file, other].map {
        try manager.attributesOfItem(atPath: $0)[.modificationDate] as? Date ?? .distantPast
      }
      return dates[0] > dates[1]
    }

    private static func compile(_ source: String, to library: String) throws {
      // Another test or process may be doing the same: each makes a file of its own.
      let unfinished = "\(library).\(UUID().uuidString)"
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = [
        "-c",
        "$(command -v clang || command -v cc) -O1 -shared -fPIC -Wall -Wextra -Werror -o \"$1\" \"$2\" -ldl",
        "sh", unfinished, source,
      ]
      process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "LD_PRELOAD" }
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw Failure(description: "compiling \(source) ended with \(process.terminationStatus)")
      }
      guard rename(unfinished, library) == 0 else {
        throw Failure(description: "\(unfinished): \(String(cString: strerror(errno)))")
      }
    }

    private struct Failure: Error, CustomStringConvertible {
      let description: String
    }
  }
#endif
