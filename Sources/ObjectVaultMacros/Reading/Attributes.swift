import SwiftParser
import SwiftSyntax

extension AttributeSyntax {
  /// The name of the attribute without the module it may be qualified with.
  var baseName: String {
    attributeName.as(MemberTypeSyntax.self)?.name.text
      ?? attributeName.as(IdentifierTypeSyntax.self)?.name.text
      ?? attributeName.trimmedDescription
  }

  /// The arguments in parentheses, if there are any.
  var labeledArguments: LabeledExprListSyntax {
    arguments?.as(LabeledExprListSyntax.self) ?? []
  }
}

extension AttributeListSyntax {
  /// The attributes of that name.
  func named(_ name: String) -> [AttributeSyntax] {
    compactMap { $0.as(AttributeSyntax.self) }.filter { $0.baseName == name }
  }
}

extension ExprSyntax {
  /// The text of a string literal without interpolation.
  var literalText: String? {
    self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
  }
}

/// The attributes of a property that `@Stored` knows.
struct PropertyAttributes {
  static let known = [
    "ObjectID", "Column", "Indexed", "Searchable", "SharedBlob", "Reference", "Owned", "Ignored",
  ]

  /// What each known name was given as, first come first.
  private let byName: [String: AttributeSyntax]
  /// Attributes given twice.
  let repeated: [AttributeSyntax]
  /// Property wrappers, macros and global actors: their names begin with a capital letter.
  let foreign: [AttributeSyntax]

  init(_ list: AttributeListSyntax) {
    var byName: [String: AttributeSyntax] = [:]
    var repeated: [AttributeSyntax] = []
    var foreign: [AttributeSyntax] = []
    for attribute in list.compactMap({ $0.as(AttributeSyntax.self) }) {
      let name = attribute.baseName
      if Self.known.contains(name) {
        if byName[name] == nil { byName[name] = attribute } else { repeated.append(attribute) }
      } else if name.first?.isUppercase == true {
        foreign.append(attribute)
      }
    }
    (self.byName, self.repeated, self.foreign) = (byName, repeated, foreign)
  }

  var objectID: AttributeSyntax? { byName["ObjectID"] }
  var column: AttributeSyntax? { byName["Column"] }
  var indexed: AttributeSyntax? { byName["Indexed"] }
  var searchable: AttributeSyntax? { byName["Searchable"] }
  var sharedBlob: AttributeSyntax? { byName["SharedBlob"] }
  var reference: AttributeSyntax? { byName["Reference"] }
  var owned: AttributeSyntax? { byName["Owned"] }
  var ignored: AttributeSyntax? { byName["Ignored"] }

  /// All known ones, in the order of ``known``.
  var all: [AttributeSyntax] { Self.known.compactMap { byName[$0] } }
}
