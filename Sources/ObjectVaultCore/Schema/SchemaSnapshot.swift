import Foundation

/// The classes of a program as text for a file under version control.
///
/// A test that holds the classes against that file shows every change of what is stored in review:
/// a property whose name or type changed by accident fails before it meets a user's vault.
///
/// ```swift
/// @Test func schema() throws {
///   try SchemaSnapshot(of: Student.self, Classroom.self).check(against: "Schema.json")
/// }
/// ```
///
/// The text is JSON, sorted by table, one member a line: the form of "classes" in what
/// `objectvault classes --format json` prints, without the counts of rows.
public struct SchemaSnapshot: Sendable, Hashable {
  /// The text, with a line break at its end.
  public let text: String

  /// Describes Swift types.
  ///
  /// - Throws: ``VaultError`` `.invalidClass` for a type that no vault can store.
  public init(of types: any StoredObject.Type...) throws { try self.init(of: types) }

  /// Describes Swift types; see ``init(of:)-(StoredObject.Type...)``.
  public init(of types: [any StoredObject.Type]) throws {
    try self.init(
      types.map { type in
        let declaration = ClassDeclaration(type)
        try declaration.validate()
        return declaration.description
      })
  }

  /// Describes the classes that a vault's file describes itself; tables of other programs are left
  /// out.
  ///
  /// - Throws: ``VaultError``, whatever opening the vault can throw.
  public init(of vault: Vault) throws {
    try self.init(vault.knownClasses().described)
  }

  private init(_ descriptions: [ClassDescription]) throws {
    // Not by Swift's order of texts, which is another one on other systems.
    let sorted = descriptions.sorted { $0.table.utf8.lexicographicallyPrecedes($1.table.utf8) }
    text = JSONValue.array(sorted.map(\.jsonValue)).indentedText + "\n"
  }

  /// Writes the text into a file, in place of what it held.
  ///
  /// - Throws: what the file system reports.
  public func write(to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  /// Compares with a file that ``write(to:)`` made.
  ///
  /// - Throws: ``VaultError``: `.schemaMismatch` that shows the lines which differ, `.noSuchFile`
  ///   where there is no file.
  public func check(against path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw VaultError(
        .noSuchFile,
        "There is no snapshot of the schema at '\(path)'. Make it with `write(to:)`, look at it, and "
          + "check it in.")
    }
    let recorded = String(decoding: data, as: UTF8.self)
    // A text that is only canonically equivalent is another one.
    guard !recorded.utf8.elementsEqual(text.utf8) else { return }
    throw VaultError(
      .schemaMismatch,
      "The classes are not as '\(path)' has them. Where that is meant, write it anew and check it in.\n"
        + Self.changes(from: recorded, to: text))
  }

  /// The classes that a text describes: one of a snapshot, or of `objectvault classes --format json`.
  ///
  /// - Throws: ``VaultError`` `.invalidArgument` where the text is of another form.
  package static func descriptions(in text: String) throws -> [ClassDescription] {
    do {
      let value = try JSONParser.parse(text)
      guard case .array(let classes) = value["classes"] ?? value else { throw NoSnapshot() }
      return try classes.map { try ClassDescription(json: $0.compactText, table: "") }
    } catch {
      throw VaultError(
        .invalidArgument,
        "The text does not describe classes. Give what `objectvault classes --format json` prints, or "
          + "a snapshot of a program's schema.", underlying: error)
    }
  }

  private struct NoSnapshot: Error {}

  /// How many lines of a difference are shown.
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
