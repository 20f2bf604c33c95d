import SwiftDiagnostics
import SwiftSyntax

extension PropertyReader {
  /// Records a property that `@ObjectID` marks.
  mutating func readObjectID(_ attribute: AttributeSyntax, _ property: StoredProperty) {
    idProperties.append(property)
    guard let obstacle = (property.type.optionalWrapped ?? property.type).objectIDObstacle else {
      return
    }
    diagnostics.misplaced(attribute, "'\(property.name)' cannot be an objectID: it is \(obstacle)")
  }

  /// Checks the object ID after every property has been read.
  mutating func checkObjectID() {
    switch idProperties.count {
    case 0: checkGenerated()
    case 1: checkSingle(idProperties[0])
    default: for part in idProperties where part.isOptional { reportOptionalPart(part) }
    }
  }

  /// Reports names and columns that clash with the generated `objectID`.
  private mutating func checkGenerated() {
    let named = declarations.filter { NameRules.folded($0.name) == "objectid" }
    for (name, node, pattern) in named {
      if node.modifiers.contains(where: { ["static", "class"].contains($0.name.text) }) {
        continue
      }
      // In another case it is a different name in Swift: only a column with this name clashes.
      let hasColumn = properties.contains { $0.name == name && $0.column == nil }
      if name != "objectID" && !hasColumn { continue }
      diagnostics.report(
        pattern,
        "'\(name)' conflicts with the generated property 'objectID'; "
          + "mark it '@ObjectID' to use it instead, or rename it",
        fixIts: FixIt.inserting("@ObjectID ", before: node, "mark it '@ObjectID'"))
    }
    for property in properties where property.column.map(NameRules.folded) == "objectid" {
      guard let declaration = declaration(of: property) else { continue }
      diagnostics.report(
        declaration.pattern,
        "the column of '\(property.name)' conflicts with the generated column 'objectID'")
    }
  }

  /// Checks an optional object ID: `nil` requests a generated ID, which only integers can have.
  private mutating func checkSingle(_ property: StoredProperty) {
    guard let wrapped = property.type.optionalWrapped, wrapped.objectIDObstacle == nil,
      let (_, node, pattern) = declaration(of: property)
    else { return }
    if !["Int", "Int64", "Swift.Int", "Swift.Int64"].contains(wrapped.trimmedDescription) {
      diagnostics.report(
        pattern,
        "'\(property.name)' is the objectID, so it can be optional only as 'Int?' or 'Int64?', "
          + "which the vault generates",
        fixIts: FixIt.unwrapping(annotation(of: pattern)))
    } else if node.bindingSpecifier.tokenKind == .keyword(.let) {
      diagnostics.report(
        pattern,
        "'\(property.name)' must be a 'var': the vault sets it when it generates the objectID",
        fixIts: [.replacing(node.bindingSpecifier, by: "var", "make it a 'var'")])
    }
  }

  private mutating func reportOptionalPart(_ property: StoredProperty) {
    guard let (_, _, pattern) = declaration(of: property) else { return }
    diagnostics.report(
      pattern, "'\(property.name)' is part of a composite objectID, so it cannot be optional",
      fixIts: FixIt.unwrapping(annotation(of: pattern)))
  }

  private func annotation(of pattern: Syntax) -> TypeSyntax? {
    pattern.parent?.as(PatternBindingSyntax.self)?.typeAnnotation?.type
  }
}
