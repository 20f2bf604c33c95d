import Foundation
import TestSupport

/// `Scripts/coverage`, which counts the fixtures and tests of each row of the acceptance list.
enum CoverageScript {
  static func run(_ arguments: [String] = []) throws -> ChildProcess {
    let script = FixtureFolder.url.deletingLastPathComponent()
      .appendingPathComponent("Scripts/coverage").path
    // A preloaded engine is only for the tests.
    return try SpawnedProgram.run(
      "/bin/bash", [script] + arguments, environment: ["LD_PRELOAD": ""])
  }
}
