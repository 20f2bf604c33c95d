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

  /// The code of the error with which the script refuses a keyring or a secret, or `nil`.
  static func refusal(keyring: String, secrets: String) throws -> Substring? {
    let child = try run(keyring, secrets)
    return child.status == 0 ? nil : child.errors.prefix { $0 != ":" && $0 != "\n" }
  }

  private static func run(_ keyring: String, _ secrets: String) throws -> ChildProcess {
    try PythonProgram.run("Fixtures/keyring/open_keyring.py", [keyring, secrets])
  }

  private struct Refused: Error {
    let errors: String
  }
}
