import SwiftDiagnostics
import SwiftSyntax

// `@Stored(only:)` stores only the listed properties, with the columns in the order of the list.

/// A property name in the list, with its expression.
struct ListedProperty {
  var name: String
  var expression: ExprSyntax
}

extension TypeReader {
  /// Returns the names in the list, or `nil` if the expression is not an array literal.
  mutating func readOnly(_ expression: ExprSyntax, of typeName: String) -> [ListedProperty]? {
    guard let list = expression.as(ArrayExprSyntax.self) else {
      reportNotLiteral(expression, "the list of stored properties", of: typeName)
      return nil
    }
    var listed: [ListedProperty] = []
    for element in list.elements {
      guard let name = element.expression.literalText else {
        diagnostics.report(
          element.expression, "a stored property must be named by a plain string literal")
        continue
      }
      if listed.contains(where: { $0.name == name }) {
        diagnostics.append(.stored(element.expression, "'\(name)' is already in this list"))
        continue
      }
      listed.append(ListedProperty(name: name, expression: element.expression))
    }
    return listed
  }

  /// Sorts the properties in the order of the list, and reports names that are no stored
  /// properties.
  mutating func order(_ reader: inout PropertyReader, by listed: [ListedProperty]) {
    let stored = reader.properties.map(\.name) + reader.owned.map(\.name)
    for property in listed where !stored.contains(property.name) {
      reportUnstored(property, reader)
    }
    let properties = reader.properties
    reader.properties = listed.compactMap { listed in
      properties.first { $0.name == listed.name }
    }
  }

  private mutating func reportUnstored(_ listed: ListedProperty, _ reader: PropertyReader) {
    let (name, expression) = (listed.name, listed.expression)
    let declared = reader.declarations.map(\.name)
    if let reason = reader.leftOut[name] {
      diagnostics.append(.stored(expression, "'\(name)' cannot be stored: it \(reason)"))
    } else if declared.contains(name) {
      // Otherwise the diagnostics of the declaration report the problem.
      guard reader.diagnostics.isEmpty else { return }
      diagnostics.report(expression, "'\(name)' cannot be stored: it is computed or static")
    } else if let near = NameRules.nearest(to: name, among: declared) {
      diagnostics.report(
        expression, "'\(reader.typeName)' has no property '\(name)'; did you mean '\(near)'?",
        fixIts: [.replacing(expression, by: "\"\(near)\"", "replace it with '\(near)'")])
    } else {
      diagnostics.append(.stored(expression, "'\(reader.typeName)' has no property '\(name)'"))
    }
  }
}

extension PropertyReader {
  /// Returns the reason why a declaration is not stored, in words that follow "it", or `nil`.
  mutating func reasonToLeaveOut(
    _ variable: VariableDeclSyntax, _ attributes: PropertyAttributes
  ) -> String? {
    if attributes.ignored != nil { return "is marked '@Ignored'" }
    guard let only else { return nil }
    let names = variable.bindings.compactMap(\.plainName)
    guard let listed = names.first(where: only.contains) else { return "is not listed in 'only'" }
    for binding in variable.bindings {
      guard let name = binding.plainName, !only.contains(name) else { continue }
      diagnostics.append(
        .stored(
          binding.pattern,
          "'\(name)' is not listed in 'only', but '\(listed)' is: declare each property on its own")
      )
    }
    return nil
  }
}
