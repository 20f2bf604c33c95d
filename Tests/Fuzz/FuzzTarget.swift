import ObjectVaultCondition
import ObjectVaultConformance
import ObjectVaultKeys

import ObjectVaultCore
import ObjectVaultTool

/// A reader of bytes that other programs write.
///
/// Each reader may reject its input with an error, but must not trap, hang or use much memory.
enum FuzzTarget: String, CaseIterable {
  /// Condition text: parser, checker, SQL and engine.
  case condition
  /// The keyring file next to a vault.
  case keyring
  /// The bytes of an unencrypted database: format detection, `verify`, `salvage`.
  case database
  /// The bytes of a database with a raw key.
  case encrypted
  /// Statements in the schema of another program.
  case schema
  /// The YAML of a fixture.
  case fixture
  /// Imports.
  case json, jsonl, csv
  /// Canonical JSON: a value that was read and written must be read as the same value.
  case canonical
  /// The description of a class as stored in a vault.
  case description
  /// A pattern of `MATCHES` and a text, separated by a line feed.
  case pattern

  // Set once, before the first input.
  nonisolated(unsafe) static var current = FuzzTarget.condition

  func run(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      switch self {
      case .condition: try FuzzedCondition.shared.ask(text)
      case .keyring:
        let keyring = try Keyring(json: bytes)
        _ = try? keyring.json()
      case .database: try FuzzedFile.examine(bytes, key: nil)
      case .encrypted: try FuzzedFile.examine(bytes, key: .raw(Array(1...32)))
      case .schema: try FuzzedFile.examine(schema: text)
      case .fixture: _ = FixtureReader.read(text, path: "fuzz.yaml")
      case .json: try FuzzedFile.importing(bytes, .json)
      case .jsonl: try FuzzedFile.importing(bytes, .jsonl)
      case .csv: try FuzzedFile.importing(bytes, .csv)
      case .canonical:
        let value = try JSONParser.parse(bytes)
        let again = try JSONParser.parse(value.compactText)
        precondition(again.compactText == value.compactText, "written JSON reads as another value")
      case .description:
        let description = try ClassDescription(json: text, table: "fuzzed")
        let again = try ClassDescription(json: description.json, table: "fuzzed")
        precondition(again == description, "a written description reads as another one")
      case .pattern:
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let pattern = try MatchPattern(String(parts[0]))
        _ = try pattern.matches(parts.count > 1 ? String(parts[1]) : text)
      }
    } catch {
      // An error is the expected answer to bad input.
    }
  }
}
