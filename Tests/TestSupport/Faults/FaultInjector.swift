#if os(Linux)
  import Foundation

  /// Starts programs of this package in which one call that changes a file meets a fault.
  ///
  /// The library that is preloaded for that is `Tests/FaultInjection/faults.c`.
  package struct FaultInjector: Sendable {
    /// The one of this process.
    package static let shared = Result { try FaultInjector() }

    private let library: PreloadedLibrary

    private init() throws {
      library = try PreloadedLibrary("FaultInjection/faults.c", as: "libfaults.so")
    }

    /// What a program must find in its environment.
    ///
    /// - Parameters:
    ///   - folder: Where calls count.
    ///   - fault: Which call does not go as it should; none where the calls are only counted.
    ///   - log: A file, outside the folder, that gets a line for each call.
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

    /// The calls that a log holds, in order.
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
