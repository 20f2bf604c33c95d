import ConditionReference
import ObjectVaultCondition

/// Without Foundation here, marks are taken apart only for the letters the tests use.
let testFolding = TextFolding { text in
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar {
    case "é": result.append(contentsOf: "e\u{301}".unicodeScalars)
    case "É": result.append(contentsOf: "E\u{301}".unicodeScalars)
    default: result.append(scalar)
    }
  }
  return String(result)
}

/// A class with one property of every type, and an optional one of each with `o` before its name.
struct SampleSchema: ConditionSchema {
  let className = "Sample"
  var properties: [PropertyShape] = []
  var propertyNames: [String] { properties.map(\.name) }

  init() {
    for type in PropertyType.allCases {
      let name = type.rawValue.lowercased()
      properties.append(PropertyShape(name, at: properties.count, type: type, isOptional: false))
      properties.append(
        PropertyShape("o" + name, at: properties.count, type: type, isOptional: true))
    }
  }

  func property(named name: String) -> PropertyShape? { properties.first { $0.name == name } }
}

let sampleChecker = ConditionChecker(schema: SampleSchema(), folding: testFolding)

/// Checks a condition on the sample class.
func resolve(
  _ text: String, _ arguments: ConditionArgument..., named: [String: ConditionArgument] = [:],
  checker: ConditionChecker = sampleChecker
) throws -> ResolvedCondition {
  try checker.resolve(
    try Condition.parse(text), arguments: arguments, named: named, text: text)
}

/// Whether a condition holds for an object whose other properties are nil.
func holds(
  _ text: String, _ values: [String: StoredValue], _ arguments: ConditionArgument...
) throws -> Bool {
  let schema = SampleSchema()
  let condition = try sampleChecker.resolve(
    try Condition.parse(text), arguments: arguments, text: text)
  return condition.holds(folding: testFolding) { values[schema.properties[$0].name] ?? .null }
}
