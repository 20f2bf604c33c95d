#if os(Linux)
  import Foundation

  /// The starter of programs with a fault in one call that changes a file.
  ///
  /// It preloads the library `Tests/FaultInjection/faults.c`.
  package struct FaultInjector: Sendable {
    /// The shared injector of this process.
    package static let shared = Result { try FaultInjector() }

    private let library: PreloadedLibrary

    private init() throws {
      library = try PreloadedLibrary("FaultInjection/faults.c", as: "libfaults.so")
    }

    /// Builds the environment of a program with a fault.
    ///
    /// - Parameters:
    ///   - folder: The folder in which calls are counted.
    ///   - fault: The fault; `nil` to only count the calls.
    ///   - log: A file outside the folder that receives a line for each call.
    /// - Returns: The environment variables.
    package func environment(
      folder: String, fault: Fault? = nil, log: String? = nil
    ) -> [String: String] {
      var environment = library.environment
      environment["FAULTS_FOLDER"] = Self.canonical(folder)
      if let fault {
        environment["FAULTS_AT"] = "\(fault.number)"
        environment["FAULTS_ACTION"] = fault.action.rawValue
      }
      if let log { environment["FAULTS_LOG"] = log }
      return environment
    }

    /// Returns the calls in a log, in order.
    package static func calls(in log: String) throws -> [CountedCall] {
      try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        .compactMap { CountedCall(line: $0) }
    }

    private static func canonical(_ path: String) -> String {
      guard let resolved = realpath(path, nil) else { return path }
      defer { free(resolved) }
      return String(cString: resolved)
    }
  }
#endif
