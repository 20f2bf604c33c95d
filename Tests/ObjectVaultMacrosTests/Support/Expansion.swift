import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import ObjectVaultMacros

/// The macros as an application sees them.
let macros: [String: MacroSpec] = [
  "Stored": MacroSpec(
    type: StoredMacro.self, conformances: ["StoredObject", "GeneratesObjectID"]),
  "ObjectID": MacroSpec(type: PropertyAttributeMacro.self),
  "Column": MacroSpec(type: PropertyAttributeMacro.self),
  "Indexed": MacroSpec(type: PropertyAttributeMacro.self),
  "Searchable": MacroSpec(type: PropertyAttributeMacro.self),
  "SharedBlob": MacroSpec(type: PropertyAttributeMacro.self),
  "Sealed": MacroSpec(type: PropertyAttributeMacro.self),
  "Reference": MacroSpec(type: PropertyAttributeMacro.self),
  "Owned": MacroSpec(type: PropertyAttributeMacro.self),
  "Ignored": MacroSpec(type: PropertyAttributeMacro.self),
]

/// Expects the macros to turn `source` into `expanded`, without a diagnostic.
func expectExpansion(
  of source: String, _ expanded: String, location: Testing.SourceLocation = #_sourceLocation
) {
  assertMacroExpansion(
    source, expandedSource: expanded, macroSpecs: macros, indentationWidth: .spaces(2),
    failureHandler: { Issue.record("\($0.message)", sourceLocation: location) })
}

/// Returns the expansion of a type that does not conform to `Identifiable` yet.
func expansion(_ source: String) -> String {
  var expanded = ""
  let stored = MacroSpec(
    type: StoredMacro.self, conformances: ["StoredObject", "GeneratesObjectID", "Identifiable"])
  assertMacroExpansion(
    source, expandedSource: "", macroSpecs: macros.merging(["Stored": stored]) { $1 },
    indentationWidth: .spaces(2), failureHandler: { expanded += $0.message })
  return expanded
}

/// One mistake, what is said about it, and what each fix-it makes of the source.
///
/// `👉` in the source marks where the diagnostic points; several marks take the messages in order.
struct Mistake: Sendable, CustomTestStringConvertible {
  var source: String
  var messages: [String]
  var fixes: [(message: String, result: String)]

  init(
    _ source: String, _ messages: String..., fixes: KeyValuePairs<String, String> = [:]
  ) {
    self.source = Self.spread(source)
    self.messages = messages
    self.fixes = fixes.map { ($0.key, Self.spread($0.value)) }
  }

  /// Gives the members of a type written in one line a line of their own, as expansion does.
  private static func spread(_ source: String) -> String {
    guard !source.contains("\n"), let open = source.firstRange(of: "{ "), source.hasSuffix(" }")
    else { return source }
    return source[..<open.lowerBound] + "{\n  " + source[open.upperBound...].dropLast(2) + "\n}"
  }

  var testDescription: String { messages[0] }
}

/// Expects exactly the diagnostics and fix-its of `mistake`, and that nothing is written.
func expect(_ mistake: Mistake, location: Testing.SourceLocation = #_sourceLocation) {
  let parts = mistake.source.split(separator: "👉", omittingEmptySubsequences: false)
  #expect(parts.count == mistake.messages.count + 1, sourceLocation: location)
  var diagnostics: [DiagnosticSpec] = []
  var before = ""
  for (part, message) in zip(parts, mistake.messages) {
    before += part
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    // Fix-its belong to the first message.
    let fixIts = diagnostics.isEmpty ? mistake.fixes.map { FixItSpec(message: $0.message) } : []
    diagnostics.append(
      DiagnosticSpec(
        message: message, line: lines.count, column: lines[lines.count - 1].utf8.count + 1,
        fixIts: fixIts))
  }
  let source = parts.joined()
  let attribute = #/@(\w+)\b(\((?:[^()]|\([^()]*\))*\))?\s+/#
  let expanded = source.replacing(attribute) { match in
    macros.keys.contains(String(match.output.1)) ? "" : match.output.0
  }
  for fix in mistake.fixes.isEmpty ? [nil] : mistake.fixes.map(Optional.some) {
    assertMacroExpansion(
      source, expandedSource: expanded, diagnostics: diagnostics, macroSpecs: macros,
      applyFixIts: fix.map { [$0.message] }, fixedSource: fix?.result,
      indentationWidth: .spaces(2),
      failureHandler: { Issue.record("\($0.message)", sourceLocation: location) })
  }
}
