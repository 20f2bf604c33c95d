import Foundation
import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema

/// The classes of a program as text for a file under version control.
///
/// A test that compares the classes with that file makes every change of the stored form visible in
/// review: a property whose name or type changed by accident fails the test before it reaches a
/// user's vault.
///
/// ```swift
/// @Test func schema() throws {
///   try SchemaSnapshot(of: Student.self, Classroom.self).check(against: "Schema.json")
/// }
/// ```
///
/// The text is JSON, sorted by table, with one member per line. Its form is that of "classes" in
/// the output of `objectvault classes --format json`, without the row counts.
public struct SchemaSnapshot: Sendable, Hashable {
  /// The text, with a line break at its end.
  public let text: String

  /// Creates a snapshot of Swift types.
  ///
  /// - Parameter types: The types.
  /// - Throws: ``VaultError`` `.invalidClass` for a type that no vault can store.
  public init(of types: any StoredObject.Type...) throws { try self.init(of: types) }

  /// Creates a snapshot of an array of Swift types.
  ///
  /// - Parameter types: The types.
  /// - Throws: ``VaultError`` `.invalidClass` for a type that no vault can store.
  public init(of types: [any StoredObject.Type]) throws {
    try self.init(
      types.map { type in
        let declaration = ClassDeclaration(type)
        try declaration.validate()
        return declaration.description
      })
  }

  /// Creates a snapshot of the classes that a vault's file describes.
  ///
  /// Tables of other programs are left out.
  ///
  /// - Parameter database: The database.
  /// - Throws: ``VaultError``, including every error of opening the vault.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public init(of database: any Database) throws {
    try self.init(database.knownClasses().described)
  }

  private init(_ descriptions: [ClassDescription]) throws {
    // Sort by UTF-8: the order of Swift strings may differ on other systems.
    let sorted = descriptions.sorted { $0.table.utf8.lexicographicallyPrecedes($1.table.utf8) }
    text = JSONValue.array(sorted.map(\.jsonValue)).indentedText + "\n"
  }

  /// Writes the text to a file and replaces its contents.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: The error of the file system.
  public func write(to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  /// Compares the snapshot with a file that was written by ``write(to:)``.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: ``VaultError``: `.schemaMismatch` with the lines that differ; `.noSuchFile` if the
  ///   file is missing.
  public func check(against path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw VaultError(
        .noSuchFile,
        "The schema snapshot '\(path)' is missing. Write it with `write(to:)`, review it, and "
          + "check it in.")
    }
    let recorded = String(decoding: data, as: UTF8.self)
    // Texts that are only canonically equivalent count as different.
    guard !recorded.hasSameBytes(as: text) else { return }
    throw VaultError(
      .schemaMismatch,
      "The classes differ from '\(path)'. If that is intended, write the snapshot again and check "
        + "it in.\n"
        + Self.changes(from: recorded, to: text))
  }

  /// Returns the classes that a text in UTF-8 describes: a snapshot, or the output of
  /// `objectvault classes --format json`.
  ///
  /// - Throws: ``VaultError`` `.invalidClass` if the text has another form.
  package static func descriptions(in text: [UInt8]) throws -> [ClassDescription] {
    do {
      let value = try JSONParser.parse(text)
      guard case .array(let classes) = value["classes"] ?? value else { throw NoSnapshot() }
      return try classes.map { try ClassDescription(json: $0.compactText, table: "") }
    } catch {
      throw VaultError(
        .invalidClass,
        "The text does not describe classes. Pass the output of `objectvault classes --format "
          + "json`, or a snapshot of a program's schema.",
        underlying: error)
    }
  }

  private struct NoSnapshot: Error {}

  /// The maximum number of lines shown for a difference.
  private static let linesShown = 40

  private static func changes(from old: String, to new: String) -> String {
    func lines(_ text: String) -> [Substring] { text.split { $0 == "\n" || $0 == "\r\n" } }
    var shown = lines(new).difference(from: lines(old)).map { change in
      switch change {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
    if shown.isEmpty { shown = ["(white space only)"] }
    let rest = shown.count - linesShown
    return shown.prefix(linesShown).joined(separator: "\n") + (rest > 0 ? "\nand \(rest) more" : "")
  }
}
