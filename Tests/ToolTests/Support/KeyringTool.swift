import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// A vault with a keyring, and the tool. Its keys are raw ones, which need no derivation, in
/// environment variables: `A` opens the slot "main", `B` and `C` nothing yet.
final class KeyringTool {
  let folder: TemporaryFolder
  var vault: String { folder.file("test.vault") }

  static let keys = Dictionary(
    uniqueKeysWithValues: ["A", "B", "C"].enumerated().map { index, name in
      (name, String(repeating: "a\(index)", count: 32))
    })
  static let passphrase = "words of the keyring"

  init() throws {
    folder = try TemporaryFolder()
    let made = try Vault(at: vault, key: .keyring(Self.slotKey("A")))
    try made.open()
    made.close()
  }

  /// The key of a variable.
  static func slotKey(_ name: String) -> SlotKey {
    let byte = UInt8(keys[name]?.prefix(2) ?? "", radix: 16) ?? 0
    return .raw([UInt8](repeating: byte, count: 32))
  }

  /// Runs the tool with the keys at hand; none of them may appear in what it says.
  func run(
    _ arguments: [String], input: SpawnedProgram.Input = .none, descriptors: [Int32: [UInt8]] = [:]
  ) throws -> ChildProcess {
    let result = try TestTool.bare(
      arguments, input: input, descriptors: descriptors, environment: environment)
    for secret in environment.values {
      #expect(!result.output.contains(secret))
      #expect(!result.errors.contains(secret))
    }
    return result
  }

  /// Runs `keys` on the vault, unlocked by the key of a variable.
  func keys(_ subcommand: String, by name: String? = "A", _ arguments: String...) throws
    -> ChildProcess
  {
    let key = name.map { ["--raw-key", "--key-env", $0] } ?? []
    return try run(["keys", subcommand, vault] + key + arguments)
  }

  /// Starts the tool at a terminal, with the keys at hand.
  func terminal(_ arguments: [String]) throws -> PseudoTerminal {
    try PseudoTerminal("objectvault", arguments, columns: 300, environment: environment)
  }

  var environment: [String: String] {
    Self.keys.merging(["WORDS": Self.passphrase]) { $1 }
  }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = folder.file(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  var slots: [String] {
    get throws { try VaultKeyring(ofVaultAt: vault).slots().map { "\($0.name): \($0.kind)" } }
  }

  /// Whether the key of a variable opens a vault by its keyring.
  func opens(_ name: String, _ path: String? = nil) throws -> Bool {
    try run(["classes", path ?? vault, "--raw-key", "--key-env", name]).code == 0
  }

  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  func bytes(_ path: String? = nil) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path ?? vault))
  }
}
