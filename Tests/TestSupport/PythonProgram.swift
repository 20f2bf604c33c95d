package import Foundation

/// Python scripts, as programs that share no code with this package.
package enum PythonProgram {
  /// The path of the first available Python with the modules of the scripts.
  ///
  /// `Scripts/setup` provides one. The path is the one that Python prints of itself, because the
  /// first one in `PATH` may be a script that searches for Python with a dozen programs each time.
  private static let command: String? = {
    let own = root.appendingPathComponent(".build-python-schemas/bin/python").path
    for command in [[own], ["/usr/bin/env", "python3"], ["/usr/bin/python3"]]
    where FileManager.default.isExecutableFile(atPath: command[0]) {
      let trial = try? start(
        command, ["-c", "import cryptography, hashlib, sys; hashlib.scrypt; print(sys.executable)"])
      if let trial, trial.status == 0 { return String(trial.output.dropLast()) }
    }
    return nil
  }()

  /// The folder of this package.
  package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Runs a script of this package and waits for its end.
  ///
  /// `script` is the path relative to the package's folder.
  package static func run(_ script: String, _ arguments: [String]) throws -> ChildProcess {
    guard let command else { throw Missing() }
    return try start([command], [root.appendingPathComponent(script).path] + arguments)
  }

  /// Runs Python statements and waits for their end.
  package static func run(statements: String, _ arguments: [String]) throws -> ChildProcess {
    guard let command else { throw Missing() }
    return try start([command], ["-c", statements] + arguments)
  }

  /// The Python with sqlcipher3.
  ///
  /// `Scripts/testee --set-up` provides it.
  private static let cipherPython =
    root.appendingPathComponent(".build-python/bin/python").path

  /// Whether a Python with sqlcipher3 is available.
  package static var hasSQLCipher: Bool {
    FileManager.default.isExecutableFile(atPath: cipherPython)
  }

  /// Runs statements on a file with Python's sqlcipher3, and returns their output or error.
  ///
  /// sqlcipher3 has its own SQLCipher and its own OpenSSL, which the library that derives each key
  /// once cannot call.
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
    let child = try start([cipherPython], ["-c", script, file] + statements, preloading: "")
    return child.output + child.errors
  }

  private static func start(
    _ command: [String], _ arguments: [String],
    preloading library: String = ChildProcess.preloadedByStranger
  ) throws -> ChildProcess {
    try SpawnedProgram.run(
      command[0], command.dropFirst() + arguments,
      environment: [
        "LD_PRELOAD": library, "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONIOENCODING": "utf-8",
      ])
  }

  /// The error if no Python has the modules.
  package struct Missing: Error, CustomStringConvertible {
    package var description: String {
      "no Python here has the module cryptography: run Scripts/setup"
    }
  }
}
