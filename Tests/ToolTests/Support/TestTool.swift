import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultTool
import TestSupport
import Testing

/// The tool as a real process, with a folder, a key file and a vault path of one test.
final class TestTool {
  let folder: TemporaryFolder
  /// What the vault's key is; a raw one spares each process the derivation.
  let kind: Kind
  var vault: String { folder.file("test.vault") }
  var keyFile: String { folder.file("key") }

  enum Kind { case raw, passphrase }

  static let passphrase = "correct horse"
  static let rawKey = [UInt8](repeating: 0x0B, count: 32)

  init(_ kind: Kind = .raw) throws {
    self.kind = kind
    folder = try TemporaryFolder()
    let raw = String(repeating: "0b", count: 32)
    try write((kind == .raw ? raw : Self.passphrase) + "\n", to: "key", mode: 0o600)
  }

  static func withVault(_ kind: Kind = .raw) throws -> TestTool {
    let tool = try TestTool(kind)
    guard kind == .raw else {
      try tool.write(Array(vaultWithPassphrase.get()), to: "test.vault", mode: 0o600)
      return tool
    }
    let vault = try tool.opened()
    try vault.open()
    vault.close()
    return tool
  }

  /// The bytes of a vault under the passphrase. All vaults have its salt, so each passphrase is
  /// derived once.
  private static let vaultWithPassphrase = Result {
    let tool = try TestTool(.passphrase)
    let vault = try tool.opened()
    try vault.open()
    vault.close()
    return try Data(contentsOf: URL(fileURLWithPath: tool.vault))
  }

  /// What the tool is told of the key.
  var keyOptions: [String] {
    ["--key-file", keyFile] + (kind == .raw ? ["--raw-key"] : [])
  }

  /// The vault, opened in this process.
  func opened() throws -> Vault {
    try Vault(
      at: vault, key: kind == .raw ? .raw(Self.rawKey) : .passphrase(Self.passphrase))
  }

  @discardableResult
  func write(_ text: String, to name: String, mode: Int = 0o644) throws -> String {
    try write(Array(text.utf8), to: name, mode: mode)
  }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String, mode: Int = 0o644) throws -> String {
    let path = folder.file(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  func read(_ name: String) throws -> String {
    try String(contentsOfFile: folder.file(name), encoding: .utf8)
  }

  /// Runs the tool without adding anything.
  static func bare(
    _ arguments: [String], input: SpawnedProgram.Input = .none,
    descriptors: [Int32: [UInt8]] = [:], environment: [String: String] = [:]
  ) throws -> ChildProcess {
    try SpawnedProgram.run(
      "objectvault", arguments, input: input, descriptors: descriptors, environment: environment)
  }

  /// Runs a subcommand on the vault with the key file.
  func run(
    _ subcommand: String, _ arguments: String..., input: SpawnedProgram.Input = .none
  ) throws -> ChildProcess {
    try Self.bare(
      [subcommand, vault] + arguments + keyOptions, input: input)
  }

  /// Imports text as a file of this name; expects success.
  func fill(_ className: String, _ content: String, _ name: String, _ options: String...) throws {
    let path = try write(content, to: name)
    let result = try Self.bare(
      ["import", vault, className, path] + keyOptions + options)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// All that is in the vault, as text that is equal when the content is.
  func content() throws -> [String] {
    let vault = try opened()
    defer { vault.close() }
    return try vault.classes().flatMap { description in
      ["\(description.json)"]
        + (try vault.store(named: description.table).all().map {
          "\($0.generatedID ?? -1) \($0.allValues.map(Self.text))"
        })
    }
  }

  private static func text(_ value: StoredValue) -> String {
    // Swift's own description of an enumeration, and of each byte, would take seconds.
    switch value {
    case .null: "null"
    case .integer(let number): "integer \(number)"
    case .real(let number): "real \(number)"
    case .text(let text): "text \(text)"
    case .blob(let bytes): "blob \(Data(bytes).base64EncodedString())"
    }
  }
}

extension ChildProcess {
  /// The exit code, where nothing else than an end by itself is right.
  var code: Int32 { exited ? status : -status }
}
