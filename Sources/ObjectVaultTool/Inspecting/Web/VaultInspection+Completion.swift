import ObjectVaultCondition
import ObjectVaultCore

extension VaultInspection {
  /// The number of suggestions.
  private static let suggestionLimit = 60

  /// Returns the words that can follow a condition (`text`, up to the insertion point).
  ///
  /// `start` is the offset in UTF-8 bytes of the word that they replace.
  func complete(_ request: InspectionRequest) throws -> JSONValue {
    let completion = ConditionCompletion(try request.optionalText("text") ?? "")
    let classes = try vault.classes()
    var target: ClassDescription? = try store(request).classDescription
    var isMany = false
    for name in completion.path {
      isMany = isMany || target?.owned.contains { $0.name == name && $0.isMany } == true
      target = target?.target(ofAssociation: name, among: classes)
    }
    var found: [(text: String, note: String)] = []
    if let target, completion.expected == .subject || completion.expected == .value {
      found = target.completions(among: classes)
      if isMany {
        found += Aggregate.allCases.map { ($0.rawValue, "aggregate") }
      }
    }
    found += completion.words.map { ($0, "") }
    let prefix = completion.prefix.lowercased()
    let matching = found.filter { $0.text.lowercased().hasPrefix(prefix) }
    // A complete word needs no suggestion.
    let isComplete = matching.count == 1 && matching[0].text == completion.prefix
    return .object([
      .init("start", .integer(completion.start)),
      .init(
        "items",
        .array(
          (isComplete ? [] : matching.prefix(Self.suggestionLimit)).map {
            .object([.init("text", .string($0.text)), .init("note", .string($0.note))])
          })),
    ])
  }
}

extension ClassDescription {
  /// Returns the class at the end of an association, or `nil` if there is no such association.
  fileprivate func target(
    ofAssociation name: String, among classes: [ClassDescription]
  ) -> ClassDescription? {
    let table =
      references.first { $0.name == name }?.target ?? owned.first { $0.name == name }?.target
    return table.flatMap { table in classes.first { $0.table == table } }
  }

  /// Returns the names that a condition can contain, each with its type or class.
  fileprivate func completions(
    among classes: [ClassDescription]
  ) -> [(text: String, note: String)] {
    func className(_ table: String) -> String {
      classes.first { $0.table == table }?.name ?? table
    }
    var found: [(String, String)] = []
    if objectID == .generated { found.append((Self.generatedIDColumn, "Int64")) }
    found += properties.map { property in
      let target = references.first { $0.name == property.name }?.target
      return (property.name, target.map(className) ?? property.typeName)
    }
    let names = Set(properties.map(\.name))
    found += references.filter { !names.contains($0.name) }.map { ($0.name, className($0.target)) }
    found += owned.map { ($0.name, "\(className($0.target))\($0.isMany ? ", many" : "")") }
    return found.map { (ConditionCompletion.spelling(ofName: $0.0), $0.1) }
  }
}
