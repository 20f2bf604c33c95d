/// A script that a test starts as a program.
package enum ProgramFile {
  /// Writes a program and sets its access rights, whatever the umask.
  ///
  /// A child process writes the file. If this process wrote it, a program that another test starts
  /// at that moment could inherit the descriptor for writing until it is loaded, and the system
  /// starts no program that is open for writing (ETXTBSY).
  ///
  /// - Parameters:
  ///   - script: The text of the program.
  ///   - path: The path of the file. An existing file is replaced.
  ///   - mode: The access rights.
  /// - Throws: ``NotWritten`` if the file cannot be written, or an error of starting the child.
  package static func write(_ script: String, to path: String, mode: Int = 0o700) throws {
    let command = "cat > \"$1\" && chmod \"$2\" \"$1\""
    let child = try SpawnedProgram.run(
      "/bin/sh", ["-c", command, "sh", path, String(mode, radix: 8)],
      input: .file(Array(script.utf8)))
    guard child.status == 0 else { throw NotWritten(errors: child.errors) }
  }

  package struct NotWritten: Error {
    let errors: String
  }
}
