#if os(Linux)
  import Foundation

  /// A process that works with keys and stops at named moments.
  ///
  /// It searches its own memory for bytes that the test provides then.
  package enum WatchedProcess {
    /// Runs `vaultchild` with a scenario.
    ///
    /// - Parameters:
    ///   - scenario: The name of the scenario.
    ///   - folder: The folder with the scenario's files.
    ///   - needles: A closure that returns the bytes to search for at a moment.
    /// - Returns: The findings of each moment, in order.
    /// - Throws: ``FaultViolation`` if the scenario fails.
    package static func run(
      _ scenario: String, in folder: TemporaryFolder,
      _ needles: (_ moment: String) throws -> [Needle]
    ) throws -> [(moment: String, found: [String])] {
      let handshake = try Handshake(at: folder.file("watch"), isMaking: true)
      let program = try SpawnedProgram.start("vaultchild", ["memory", scenario, folder.path])
      var found: [(moment: String, found: [String])] = []
      while handshake.isAsked() {
        let moment = try String(contentsOfFile: folder.file("watch.moment"), encoding: .utf8)
        if moment == "end" { break }
        if moment == "found" {
          let text = try String(contentsOfFile: folder.file("watch.found"), encoding: .utf8)
          found[found.count - 1].found = text.split(separator: "\n").map(String.init)
        } else {
          let lines = try needles(moment).map(\.line).joined()
          try Data(lines.utf8).write(to: URL(fileURLWithPath: folder.file("watch.needles")))
          found.append((moment, ["nothing was searched"]))
        }
        handshake.answer()
      }
      handshake.answer()
      let (status, exited) = program.wait()
      guard exited, status == 0 else {
        let problem = try? String(contentsOfFile: folder.file("watch.problem"), encoding: .utf8)
        throw FaultViolation("\(scenario) ended with \(status): \(problem ?? "")")
      }
      return found
    }

    /// The side of the watched process.
    package final class Moments {
      private let folder: String
      private let handshake: Handshake

      package init(in folder: String) throws {
        self.folder = folder
        handshake = try Handshake(at: folder + "/watch", isMaking: false)
      }

      /// Searches the memory of this process for the bytes that the test provides for this moment.
      package func reach(_ moment: String) throws {
        try tell(moment)
        let lines = try String(contentsOfFile: folder + "/watch.needles", encoding: .utf8)
        let needles = lines.split(separator: "\n").compactMap { Needle(line: $0) }
        let found = try MemoryScan.find(needles)
        try write(found.joined(separator: "\n"), to: "watch.found")
        try tell("found")
      }

      /// Reports the end of the scenario.
      package func end() throws { try tell("end") }

      /// Reports an error.
      package func fail(_ error: any Error) {
        try? write("\(error)", to: "watch.problem")
      }

      private func tell(_ moment: String) throws {
        try write(moment, to: "watch.moment")
        try handshake.ask()
      }

      private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
      }
    }
  }
#endif
