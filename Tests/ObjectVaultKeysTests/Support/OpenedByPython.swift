import Foundation
import TestSupport

/// What `Fixtures/keyring/open_keyring.py` says of a keyring: digests in place of keys.
struct OpenedByPython: Decodable, Hashable {
  struct Slot: Decodable, Hashable {
    let slot: String
    let kind: String
    let context: String
    let wrappingKey: String?
    let created: UInt64?
    let master: String
  }

  struct Epoch: Decodable, Hashable {
    let salt: String
    let format: Int
    let pageSize: Int
    let state: String
    let context: String
    let dataKey: String
    let plaintextHeader: Int?
  }

  let vault: String
  let generation: UInt64
  let authenticated: String
  let slots: [Slot]
  let epochs: [Epoch]
  let sealingKeys: [String]?

  /// Runs the script, which succeeds.
  init(keyring: String, secrets: String) throws {
    let child = try Self.run(keyring, secrets)
    guard child.status == 0 else { throw Refused(errors: child.errors) }
    self = try JSONDecoder().decode(Self.self, from: Data(child.output.utf8))
  }

  /// What the script printed earlier.
  init(file: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
  }

  /// Returns the code of the error with which the script rejects each keyring or its secrets, or
  /// `nil` if it opens the keyring.
  ///
  /// One Python runs the script for all of them, because most of a run is the start of Python.
  static func refusals(_ files: [(keyring: String, secrets: String)]) throws -> [Substring?] {
    let statements = """
      import contextlib, io, sys
      sys.path.insert(0, sys.argv[1])
      import open_keyring
      for arguments in zip(sys.argv[2::2], sys.argv[3::2]):
          answer = ""
          try:
              with contextlib.redirect_stdout(io.StringIO()):
                  open_keyring.main(arguments)
          except SystemExit as exit:
              answer = str(exit.code).split("\\n")[0]
          except Exception as error:
              answer = repr(error)
          print(answer)
      """
    let child = try PythonProgram.run(
      statements: statements,
      [PythonProgram.root.appendingPathComponent("Fixtures/keyring").path]
        + files.flatMap { [$0.keyring, $0.secrets] })
    guard child.status == 0 else { throw Refused(errors: child.errors) }
    let answers = child.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    guard answers.count == files.count else { throw Refused(errors: child.output) }
    return answers.map { $0.isEmpty ? nil : $0.prefix { $0 != ":" } }
  }

  private static func run(_ keyring: String, _ secrets: String) throws -> ChildProcess {
    try PythonProgram.run("Fixtures/keyring/open_keyring.py", [keyring, secrets])
  }

  private struct Refused: Error {
    let errors: String
  }
}
