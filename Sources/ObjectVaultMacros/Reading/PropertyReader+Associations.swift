import SwiftDiagnostics
import SwiftSyntax

extension PropertyReader {
  /// Records that a property is a reference, according to its type, and the options of
  /// `@Reference`.
  mutating func readReference(
    _ attribute: AttributeSyntax?, of property: inout StoredProperty,
    at binding: PatternBindingSyntax
  ) {
    guard property.type.isReference else {
      if let attribute {
        diagnostics.append(
          .misplaced(
            attribute,
            "'\(property.name)' is no reference: its type must be spelled 'Ref<…>' or 'Ref<…>?'"))
      }
      return
    }
    property.isReference = true
    property.literal = nil
    if !property.definition.isEmpty {
      diagnostics.append(
        .stored(
          binding.pattern,
          "the column of '\(property.name)' cannot be defined: it is as the objectID that it refers to"
        ))
    }
    guard let rule = attribute?.labeledArguments.first?.expression else { return }
    property.onDelete = rule.trimmed
    let isNullify = rule.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "nullify"
    guard isNullify, !property.isOptional else { return }
    var fixIts: [FixIt] = []
    if let type = binding.typeAnnotation?.type {
      fixIts += FixIt.inserting("?", after: type, "make it '\(type.trimmedDescription)?'")
    }
    fixIts.append(.replacing(rule, by: ".deny", "use '.deny'"))
    diagnostics.append(
      .stored(
        rule,
        "'\(property.name)' cannot become nil when its object is removed: it is not optional",
        fixIts: fixIts))
  }

  /// Records the owned objects that `@Owned` marks.
  mutating func readOwned(
    _ attribute: AttributeSyntax, _ variable: VariableDeclSyntax, _ attributes: PropertyAttributes
  ) {
    for other in attributes.all where other.baseName != "Owned" {
      diagnostics.append(
        .misplaced(
          other, "owned objects have no column here, so '@\(other.baseName)' has no meaning"))
    }
    if variable.bindingSpecifier.tokenKind == .keyword(.let) {
      diagnostics.append(
        .stored(
          variable.bindingSpecifier, "owned objects must be a 'var': they are loaded and left out",
          fixIts: [.replacing(variable.bindingSpecifier, by: "var", "make it a 'var'")]))
    }
    for binding in variable.bindings where !binding.isComputed {
      guard let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
        continue
      }
      let name = identifier.text.filter { $0 != "`" }
      guard let type = binding.typeAnnotation?.type else {
        diagnostics.append(
          .stored(
            binding.pattern, "the type of '\(name)' must be written: a macro cannot infer it"))
        continue
      }
      guard let wrapped = type.optionalWrapped else {
        diagnostics.append(
          .stored(
            type,
            "'\(name)' must be optional: 'nil' says that owned objects are not loaded and are to be "
              + "left alone when their owner is saved",
            fixIts: FixIt.inserting("?", after: type, "make it '\(type.trimmedDescription)?'")))
        continue
      }
      guard let (path, reference) = readReferencePath(attribute, name) else { continue }
      owned.append(
        OwnedProperty(
          identifier: identifier.text, access: variable.modifiers.memberAccess,
          type: (wrapped.arrayElement ?? wrapped).trimmed,
          isMany: wrapped.arrayElement != nil, reference: (path, reference),
          sortedBy: readOrder(attribute, name)))
    }
  }

  private mutating func readReferencePath(
    _ attribute: AttributeSyntax, _ name: String
  ) -> (ExprSyntax, String)? {
    guard let path = attribute.labeledArguments.first?.expression else {
      // The compiler reports the missing argument.
      return nil
    }
    guard let property = path.keyPathProperty else {
      diagnostics.append(
        .stored(path, "the owner of '\(name)' is named by a key path: '\\Student.classroom'"))
      return nil
    }
    return (path.trimmed, property)
  }

  private mutating func readOrder(_ attribute: AttributeSyntax, _ name: String) -> [String] {
    attribute.labeledArguments.dropFirst().compactMap { argument in
      if let property = argument.expression.keyPathProperty { return property }
      diagnostics.append(
        .stored(
          argument.expression,
          "the order of '\(name)' is named by key paths of stored properties: '\\Student.seat'"))
      return nil
    }
  }
}

extension ExprSyntax {
  /// The property of a key path with its type and one property: `classroom` of
  /// `\Student.classroom`.
  fileprivate var keyPathProperty: String? {
    guard let path = self.as(KeyPathExprSyntax.self), path.root != nil,
      path.components.count == 1,
      let property = path.components.first?.component.as(KeyPathPropertyComponentSyntax.self)
    else { return nil }
    return property.declName.baseName.text.filter { $0 != "`" }
  }
}
