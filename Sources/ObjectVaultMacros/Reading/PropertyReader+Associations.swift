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
        diagnostics.misplaced(
          attribute,
          "'\(property.name)' is not a reference: write its type as 'Ref<…>' or 'Ref<…>?'")
      }
      return
    }
    property.isReference = true
    property.literal = nil
    if !property.definition.isEmpty {
      diagnostics.report(
        binding.pattern,
        "the column of '\(property.name)' cannot be defined: it has the type of the referenced "
          + "objectID"
      )
    }
    guard let rule = attribute?.labeledArguments.first?.expression else { return }
    property.onDelete = rule.trimmed.namingSelf(typeIdentifier)
    let isNullify = rule.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "nullify"
    guard isNullify, !property.isOptional else { return }
    var fixIts: [FixIt] = []
    if let type = binding.typeAnnotation?.type {
      fixIts += FixIt.inserting("?", after: type, "make it '\(type.trimmedDescription)?'")
    }
    fixIts.append(.replacing(rule, by: ".deny", "use '.deny'"))
    diagnostics.report(
      rule,
      "'\(property.name)' is not optional: removing the referenced object cannot set it to nil",
      fixIts: fixIts)
  }

  /// Records the owned objects that `@Owned` marks.
  mutating func readOwned(
    _ attribute: AttributeSyntax, _ variable: VariableDeclSyntax, _ attributes: PropertyAttributes
  ) {
    for other in attributes.all where other.baseName != "Owned" {
      diagnostics.misplaced(
        other, "'@\(other.baseName)' has no effect: owned objects have no column here")
    }
    if variable.bindingSpecifier.tokenKind == .keyword(.let) {
      diagnostics.report(
        variable.bindingSpecifier,
        "owned objects must be a 'var': the vault sets and clears them",
        fixIts: [.replacing(variable.bindingSpecifier, by: "var", "make it a 'var'")])
    }
    for binding in variable.bindings where !binding.isComputed {
      guard let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
        continue
      }
      let name = identifier.plainText
      guard let type = binding.typeAnnotation?.type else {
        diagnostics.report(
          binding.pattern, "'\(name)' needs an explicit type: a macro cannot infer it")
        continue
      }
      guard let wrapped = type.optionalWrapped else {
        diagnostics.report(
          type,
          "'\(name)' must be optional: 'nil' indicates owned objects that are not loaded and "
            + "that saving the owner does not change",
          fixIts: FixIt.inserting("?", after: type, "make it '\(type.trimmedDescription)?'"))
        continue
      }
      if binding.initializer == nil && !type.isImplicitlyNil { everythingHasInitialValue = false }
      guard let (path, reference) = readReferencePath(attribute, name) else { continue }
      var property = OwnedProperty(
        identifier: identifier.text, access: variable.modifiers.memberAccess,
        type: (wrapped.arrayElement ?? wrapped).trimmed.namingSelf(typeIdentifier),
        isMany: wrapped.arrayElement != nil, reference: (path, reference),
        sortedBy: readOrder(attribute, name))
      readOrdered(attribute, of: &property)
      checkReference(of: property, attribute)
      owned.append(property)
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
      diagnostics.report(
        path, "name the owner of '\(name)' by a key path, such as '\\Student.classroom'")
      return nil
    }
    return (path.trimmed.namingSelf(typeIdentifier), property)
  }

  /// Diagnoses an owned property that has the objects of an earlier one.
  private mutating func checkReference(of property: OwnedProperty, _ attribute: AttributeSyntax) {
    let other = owned.first {
      $0.reference.name == property.reference.name
        && $0.type.trimmedDescription == property.type.trimmedDescription
    }
    guard let other, let path = attribute.labeledArguments.first?.expression else { return }
    diagnostics.append(
      .stored(
        path,
        "'\(property.name)' has the same reference as '\(other.name)': keep one of them, or declare "
          + "a reference for each"))
  }

  private mutating func readOrder(_ attribute: AttributeSyntax, _ name: String) -> [String] {
    attribute.labeledArguments.dropFirst().filter { $0.label?.text != "ordered" }.compactMap {
      argument in
      if let property = argument.expression.keyPathProperty { return property }
      diagnostics.report(
        argument.expression,
        "name the order of '\(name)' by key paths of stored properties, as in '\\Student.seat'")
      return nil
    }
  }

  /// Records whether the vault stores the order of the owned objects.
  private mutating func readOrdered(
    _ attribute: AttributeSyntax, of property: inout OwnedProperty
  ) {
    guard let argument = attribute.labeledArguments.first(where: { $0.label?.text == "ordered" })
    else { return }
    guard let literal = argument.expression.as(BooleanLiteralExprSyntax.self) else {
      diagnostics.report(
        argument.expression, "'ordered' of '\(property.name)' must be 'true' or 'false'")
      return
    }
    property.isOrdered = literal.literal.tokenKind == .keyword(.true)
    guard property.isOrdered else { return }
    if !property.isMany {
      diagnostics.report(argument, "'\(property.name)' is a single object, which has no order")
    } else if !property.sortedBy.isEmpty {
      diagnostics.report(
        argument,
        "'\(property.name)' is sorted by properties: its order cannot be stored too")
    }
  }
}

extension ExprSyntax {
  /// The property of a key path with its type and one property: `classroom` of
  /// `\Student.classroom`.
  var keyPathProperty: String? { keyPathNames?.property }

  /// The last component of the type's name in such a key path: `Student` of
  /// `\School.Student.classroom`.
  var keyPathType: String? { keyPathNames?.type }

  /// The names of the type and the property in a key path.
  ///
  /// The parser regards the names of nested types as properties. Their capital first letters
  /// distinguish them.
  private var keyPathNames: (type: String, property: String)? {
    guard let path = self.as(KeyPathExprSyntax.self), var type = path.root?.nominal?.name
    else { return nil }
    let names = path.components.map {
      $0.component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName.text
    }
    guard let property = names.last, let property else { return nil }
    for name in names.dropLast() {
      guard let name, name.first(where: { $0 != "`" })?.isUppercase == true else { return nil }
      type = name
    }
    return (type, property.filter { $0 != "`" })
  }
}
