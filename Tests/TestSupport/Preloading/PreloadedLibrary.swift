#if os(Linux)
  import Foundation

  /// A C library that overrides functions in a program that a test starts.
  ///
  /// It is compiled on first use, into the folder of the programs. Linux only: macOS has no
  /// equivalent way of preloading.
  package struct PreloadedLibrary: Sendable {
    private let path: String

    /// Compiles the library unless it is up to date.
    ///
    /// - Parameters:
    ///   - source: The path of its single source file below `Tests`.
    ///   - name: The name of the compiled file.
    /// - Throws: An error if the compilation fails.
    package init(_ source: String, as name: String) throws {
      let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      let source = tests.appendingPathComponent(source).path
      path = ChildProcess.programs.appendingPathComponent(name).path
      if try !Self.isNewer(path, than: source) { try Self.compile(source, to: path) }
    }

    /// The environment of a program with the library.
    ///
    /// A preloaded engine stays preloaded.
    package var environment: [String: String] {
      let preloaded = ProcessInfo.processInfo.environment["LD_PRELOAD"]
      return ["LD_PRELOAD": [path, preloaded].compactMap { $0 }.joined(separator: ":")]
    }

    /// The environment of a program that has its own engine.
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
      // Another test or process can compile at the same time, so each writes a separate file.
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
