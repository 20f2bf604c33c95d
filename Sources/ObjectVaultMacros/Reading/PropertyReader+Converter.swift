import SwiftDiagnostics
import SwiftSyntax

extension PropertyReader {
  /// Records the converter that `@Column` names.
  mutating func readConverter(_ expression: ExprSyntax, of property: inout StoredProperty) {
    if expression.is(NilLiteralExprSyntax.self) { return }
    guard let type = expression.namedMetatype else {
      diagnostics.report(
        expression,
        "name the converter of '\(property.name)' by its type, such as 'Converter.self'",
        fixIts: expression.isTypeName
          ? FixIt.inserting(".self", after: expression, "add '.self'") : [])
      return
    }
    property.converter = type.trimmed.namingSelf(typeIdentifier)
    if property.type.isReference {
      diagnostics.report(
        expression,
        "'\(property.name)' cannot have a converter: a reference is stored as the referenced "
          + "objectID")
    }
  }

  /// Reports a converter for a part of the object ID.
  mutating func checkHasNoConverter(_ property: StoredProperty, _ attribute: AttributeSyntax?) {
    guard property.converter != nil,
      let argument = attribute?.labeledArguments.first(where: { $0.label?.text == "converter" })
    else { return }
    diagnostics.report(
      argument.expression,
      "'\(property.name)' is the objectID and cannot have a converter: conform its type to "
        + "'ConvertibleToStorable' and 'ObjectIDValue'")
  }
}

extension AttributeSyntax {
  /// Whether the arguments include a converter.
  var hasConverter: Bool {
    labeledArguments.contains {
      $0.label?.text == "converter" && !$0.expression.is(NilLiteralExprSyntax.self)
    }
  }
}

extension PropertyAttributes {
  /// Whether the property is stored through a converter.
  var hasConverter: Bool { column?.hasConverter ?? false }
}

extension ExprSyntax {
  /// The type that an expression such as `Converter.self` names, or `nil`.
  fileprivate var namedMetatype: ExprSyntax? {
    guard let access = self.as(MemberAccessExprSyntax.self),
      access.declName.baseName.text == "self", let base = access.base
    else { return nil }
    return base
  }

  /// Whether the expression looks like the name of a type without `.self`.
  fileprivate var isTypeName: Bool {
    let name =
      self.as(DeclReferenceExprSyntax.self)?.baseName.text
      ?? self.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    return name?.first?.isUppercase == true
  }
}
