import SwiftParser
import SwiftSyntax

extension AttributeSyntax {
  /// The name of the attribute without the module that may qualify it.
  var baseName: String {
    attributeName.as(MemberTypeSyntax.self)?.name.text
      ?? attributeName.as(IdentifierTypeSyntax.self)?.name.text
      ?? attributeName.trimmedDescription
  }

  /// Whether the attribute is a property wrapper, a macro or a global actor, according to its
  /// capital first letter. Those of the macro `@Observable` leave a property stored as it is.
  fileprivate var isForeign: Bool {
    baseName.first?.isUppercase == true
      && !["ObservationIgnored", "ObservationTracked"].contains(baseName)
  }

  /// The arguments in parentheses, if any.
  var labeledArguments: LabeledExprListSyntax {
    arguments?.as(LabeledExprListSyntax.self) ?? []
  }
}

extension AttributeListSyntax {
  /// Returns the attributes with a name.
  func named(_ name: String) -> [AttributeSyntax] {
    compactMap { $0.as(AttributeSyntax.self) }.filter { $0.baseName == name }
  }

  /// The attributes inside `#if`, of every branch. The compiled branch is not known here.
  var conditional: [AttributeSyntax] {
    flatMap { element -> [AttributeSyntax] in
      guard case .ifConfigDecl(let conditional) = element else { return [] }
      return conditional.clauses.flatMap { clause -> [AttributeSyntax] in
        guard case .attributes(let list) = clause.elements else { return [] }
        return list.compactMap { $0.as(AttributeSyntax.self) } + list.conditional
      }
    }
  }

  /// Whether an `@available` attribute deprecates the declaration.
  var isDeprecated: Bool {
    named("available").contains { attribute in
      attribute.arguments?.tokens(viewMode: .sourceAccurate).contains { $0.text == "deprecated" }
        ?? false
    }
  }
}

extension TokenSyntax {
  /// The text of a name without backquotes.
  var plainText: String { text.filter { $0 != "`" } }
}

extension ExprSyntax {
  /// The text of a string literal without interpolation, or `nil`.
  var literalText: String? {
    self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
  }
}

/// The attributes of a property that `@Stored` supports.
struct PropertyAttributes {
  static let known = [
    "ObjectID", "Column", "Indexed", "Searchable", "SharedBlob", "Sealed", "Reference", "Owned",
    "Ignored",
  ]

  /// The first attribute of each supported name.
  private let byName: [String: AttributeSyntax]
  /// The repeated attributes.
  let repeated: [AttributeSyntax]
  /// Property wrappers, macros and global actors, recognized by their capital first letter.
  let foreign: [AttributeSyntax]
  /// The supported attributes inside `#if`.
  let conditional: [AttributeSyntax]
  /// The property wrappers, macros and global actors inside `#if`.
  let foreignConditional: [AttributeSyntax]

  init(_ list: AttributeListSyntax) {
    var byName: [String: AttributeSyntax] = [:]
    var repeated: [AttributeSyntax] = []
    var foreign: [AttributeSyntax] = []
    for attribute in list.compactMap({ $0.as(AttributeSyntax.self) }) {
      let name = attribute.baseName
      if Self.known.contains(name) {
        if byName[name] == nil { byName[name] = attribute } else { repeated.append(attribute) }
      } else if attribute.isForeign {
        foreign.append(attribute)
      }
    }
    (self.byName, self.repeated, self.foreign) = (byName, repeated, foreign)
    conditional = list.conditional.filter { Self.known.contains($0.baseName) }
    foreignConditional = list.conditional.filter {
      !Self.known.contains($0.baseName) && $0.isForeign
    }
  }

  var objectID: AttributeSyntax? { byName["ObjectID"] }
  var column: AttributeSyntax? { byName["Column"] }
  var indexed: AttributeSyntax? { byName["Indexed"] }
  var searchable: AttributeSyntax? { byName["Searchable"] }
  var sharedBlob: AttributeSyntax? { byName["SharedBlob"] }
  var sealed: AttributeSyntax? { byName["Sealed"] }
  var reference: AttributeSyntax? { byName["Reference"] }
  var owned: AttributeSyntax? { byName["Owned"] }
  var ignored: AttributeSyntax? { byName["Ignored"] }

  /// All supported attributes in the order of ``known``.
  var all: [AttributeSyntax] { Self.known.compactMap { byName[$0] } }
}
