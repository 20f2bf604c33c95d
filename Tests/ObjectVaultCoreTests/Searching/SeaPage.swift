import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

/// A class whose texts are searched for words.
struct SeaPage: StoredObject, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var title: String
  var body: String?
  var number: Int

  init(_ title: String, _ body: String? = nil, number: Int = 0) {
    self.title = title
    self.body = body
    self.number = number
  }

  static let classDescription = ClassDescription(
    "Page",
    properties: [
      PropertyDescription("title", String.self), PropertyDescription("body", String?.self),
      PropertyDescription("number", Int.self),
    ], search: SearchDescription(["title", "body"]))

  init(row: Row) throws {
    title = try row.value(at: 0)
    body = try row.value(at: 1)
    number = try row.value(at: 2)
    objectID = try row.value(at: 3)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(title, at: 0)
    try binder.bind(body, at: 1)
    try binder.bind(number, at: 2)
  }

  /// Some pages to look in.
  static let samples = [
    SeaPage("The Old Man and the Sea", "A fish, a sea and an old man.", number: 1),
    SeaPage("Moby-Dick", "A whale of a book; the sea, the sea.", number: 2),
    SeaPage("Old wives' tales", nil, number: 3),
    SeaPage("Élan vital", "La mer: ÉTÉ, straße, Ångström", number: 4),
    SeaPage("日本語", "東京 の 海", number: 5),
  ]
}

/// The class as it is described at run time.
extension ClassDescription {
  static func pages(
    _ search: SearchDescription?, table: String = "Page", titleColumn: String = "title"
  ) -> ClassDescription {
    ClassDescription(
      "Page", table: table,
      properties: [
        PropertyDescription(
          "title", column: titleColumn, type: .string,
          renamedFrom: titleColumn == "title" ? [] : ["title"]),
        PropertyDescription("body", type: .string, isOptional: true),
        PropertyDescription("number", type: .int),
      ], search: search)
  }
}

/// A module and a tokenizer of a full-text index.
struct SearchKind: Sendable, Hashable, CustomTestStringConvertible {
  var module = SearchDescription.Module.fts4
  var tokenizer = SearchDescription.Tokenizer.words

  var testDescription: String { "\(tokenizer) in \(module)" }

  /// The kinds of indexes that the engine has.
  static let all: [SearchKind] = {
    let engine = try? Engine.prove()
    let modules: [SearchDescription.Module] = [.fts4] + (engine?.hasFTS5 == true ? [.fts5] : [])
    return modules.flatMap { module in
      SearchDescription.Tokenizer.allCases.map { SearchKind(module: module, tokenizer: $0) }
    }
  }()

  func of(_ properties: [String]) -> SearchDescription {
    SearchDescription(properties, module: module, tokenizer: tokenizer)
  }
}
