package import Foundation

/// Scripts in Python, as programs that share nothing with this package.
package enum PythonProgram {
  /// The first Python at hand that has the modules of the scripts: `Scripts/setup` sees to one.
  private static let command: [String]? = {
    let own = root.appendingPathComponent(".build-python-schemas/bin/python").path
    for command in [[own], ["/usr/bin/env", "python3"], ["/usr/bin/python3"]]
    where FileManager.default.isExecutableFile(atPath: command[0]) {
      let trial = try? start(
        command, ["-c", "import cryptography, hashlib; hashlib.scrypt"])
      if trial?.status == 0 { return command }
    }
    return nil
  }()

  /// The folder of this package.
  package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Runs a script of this package and waits for its end.
  ///
  /// - Parameter script: Its path from the package's folder on.
  package static func run(_ script: String, _ arguments: [String]) throws -> ChildProcess {
    guard let command else { throw Missing() }
    return try start(command, [root.appendingPathComponent(script).path] + arguments)
  }

  /// The Python that has sqlcipher3: `Scripts/testee --set-up` provides it.
  private static let cipherPython =
    root.appendingPathComponent(".build-python/bin/python").path

  /// Whether there is a Python with sqlcipher3.
  package static var hasSQLCipher: Bool {
    FileManager.default.isExecutableFile(atPath: cipherPython)
  }

  /// Runs statements on a file by Python's sqlcipher3, which has a SQLCipher of its own, and gives what
  /// they answered or why one failed.
  package static func runSQLCipher(_ file: String, _ statements: [String]) throws -> String {
    let script = """
      import sqlcipher3, sys
      connection = sqlcipher3.connect(sys.argv[1], isolation_level=None)
      for statement in sys.argv[2:]:
          try:
              for row in connection.execute(statement):
                  print("|".join(str(value) for value in row))
          except sqlcipher3.DatabaseError as error:
              print("Error:", error)
      connection.close()
      """
    let child = try start([cipherPython], ["-c", script, file] + statements)
    return child.output + child.errors
  }

  private static func start(_ command: [String], _ arguments: [String]) throws -> ChildProcess {
    // An engine that is preloaded is meant for this program.
    try SpawnedProgram.run(
      command[0], command.dropFirst() + arguments,
      environment: ["LD_PRELOAD": "", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"])
  }

  /// No Python here has the modules.
  package struct Missing: Error, CustomStringConvertible {
    package var description: String {
      "no Python here has the module cryptography: run Scripts/setup"
    }
  }
}
