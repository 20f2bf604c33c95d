import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension PropertyReader {
  /// Reads every name that one `var` or `let` declares.
  mutating func readBindings(_ variable: VariableDeclSyntax, _ attributes: PropertyAttributes) {
    let bindings = Array(variable.bindings)
    for (offset, binding) in bindings.enumerated() where !binding.isComputed {
      guard let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
        diagnostics.report(
          binding.pattern,
          "'\(binding.pattern.trimmedDescription)' cannot be stored: declare each property "
            + "on its own")
        continue
      }
      // In `var a, b: Int` the type is written once, at the end.
      let type: TypeSyntax? =
        binding.typeAnnotation?.type
        ?? (binding.initializer == nil
          ? bindings[offset...].lazy.compactMap { $0.typeAnnotation?.type }.first : nil)
      var property = StoredProperty(
        identifier: identifier.text, access: variable.modifiers.memberAccess, type: "Never")
      if !checkMutable(variable, binding, property.name) { continue }
      guard let known = type ?? binding.initializer?.value.literalType else {
        reportMissingType(binding, property.name)
        continue
      }
      property.type = known.trimmed.namingSelf(typeIdentifier)
      property.isDeprecated = variable.attributes.isDeprecated
      // A converter can store a type that has no stored form itself.
      if let obstacle = known.obstacle, !attributes.hasConverter {
        diagnostics.report(
          binding.pattern, "'\(property.name)' cannot be stored: its type \(obstacle)",
          fixIts: FixIt.ignoring(variable))
        continue
      }
      if let value = binding.initializer?.value, value.isLiteral {
        property.literal = value.trimmed
      }
      let isNil =
        type?.isImplicitlyNil == true && variable.bindingSpecifier.tokenKind == .keyword(.var)
      if binding.initializer == nil && !isNil { everythingHasInitialValue = false }
      readColumn(attributes.column, of: &property, at: binding.pattern, in: variable)
      readReference(attributes.reference, of: &property, at: binding)
      if let objectID = attributes.objectID {
        readObjectID(objectID, property)
        checkHasNoConverter(property, attributes.column)
      }
      if let indexed = attributes.indexed {
        readIndexed(indexed, property)
      }
      if let searchable = attributes.searchable {
        readSearchable(searchable, property)
      }
      if let shared = attributes.sharedBlob {
        readShared(shared, of: &property, with: attributes)
      }
      if let sealed = attributes.sealed {
        readSealed(sealed, of: &property, with: attributes)
      }
      properties.append(property)
    }
  }

  /// Reports a constant with a value, because a row cannot assign another value to it.
  private mutating func checkMutable(
    _ variable: VariableDeclSyntax, _ binding: PatternBindingSyntax, _ name: String
  ) -> Bool {
    guard variable.bindingSpecifier.tokenKind == .keyword(.let), binding.initializer != nil
    else { return true }
    diagnostics.report(
      binding.pattern,
      "'\(name)' is a constant with a value, so no stored value can be read into it",
      fixIts: [.replacing(variable.bindingSpecifier, by: "var", "make it a 'var'")]
        + FixIt.ignoring(variable))
    return false
  }

  private mutating func reportMissingType(_ binding: PatternBindingSyntax, _ name: String) {
    let type = binding.initializer?.value.spelledType ?? "<#Type#>"
    diagnostics.report(
      binding.pattern,
      "'\(name)' needs an explicit type: a macro cannot infer it",
      fixIts: FixIt.inserting(": \(type)", after: binding.pattern, "add ': \(type)'"))
  }

  private mutating func readColumn(
    _ attribute: AttributeSyntax?, of property: inout StoredProperty, at pattern: PatternSyntax,
    in variable: VariableDeclSyntax
  ) {
    var isRenaming = false
    for argument in attribute?.labeledArguments ?? [] {
      if let label = argument.label?.text {
        isRenaming = label == "renamedFrom"
        if label == "converter" {
          readConverter(argument.expression, of: &property)
          continue
        }
        if !isRenaming {
          property.definition.append(
            (label, argument.expression.trimmed.namingSelf(typeIdentifier)))
          continue
        }
      }
      guard let name = argument.expression.literalText else {
        diagnostics.report(
          argument.expression,
          "the column name of '\(property.name)' must be a plain string literal")
        return
      }
      if isRenaming { property.renamedFrom.append(name) } else { property.column = name }
    }
    if let attribute, property.column == nil, property.renamedFrom.isEmpty,
      property.definition.isEmpty, !attribute.hasConverter
    {
      diagnostics.misplaced(
        attribute, "'@Column' on '\(property.name)' has no effect without arguments")
    }
    guard let problem = NameRules.problem(with: property.columnName) else { return }
    let named = property.column == nil ? nil : attribute?.labeledArguments.first?.expression
    diagnostics.report(
      named.map(Syntax.init) ?? Syntax(pattern),
      "the column of '\(property.name)' cannot be named '\(property.columnName)': \(problem)",
      fixIts: attribute == nil ? FixIt.namingColumn(of: variable) : [])
  }

  private mutating func readSearchable(
    _ attribute: AttributeSyntax, _ property: StoredProperty
  ) {
    let type = property.type.optionalWrapped ?? property.type
    // Another name may be an alias; the check of the class description finds out.
    let isText =
      property.converter != nil
      || type.nominal.map { !TypeSyntax.namesWithoutWords.contains($0.name) } ?? false
    guard isText, !property.isReference else {
      diagnostics.misplaced(
        attribute, "'\(property.name)' cannot be searchable: only a 'String' can")
      return
    }
    let tokenizer = attribute.labeledArguments.first { $0.label?.text == "tokenizer" }?.expression
    if let first = tokenizers.first, first.tokenizerName != tokenizer.tokenizerName {
      diagnostics.misplaced(
        attribute,
        "'\(property.name)' has another tokenizer than '\(searched[0])': all searchable properties "
          + "share one index")
      return
    }
    searched.append(property.name)
    tokenizers.append(tokenizer)
  }

  private mutating func readShared(
    _ attribute: AttributeSyntax, of property: inout StoredProperty,
    with attributes: PropertyAttributes
  ) {
    let type = property.type.optionalWrapped ?? property.type
    let reason: String? =
      if property.isReference || property.converter == nil && !type.mayBeBytes {
        "only a 'Data' or '[UInt8]' can"
      } else if attributes.objectID != nil {
        "it is the objectID"
      } else if !property.definition.isEmpty {
        "its column has its own definition"
      } else {
        nil
      }
    if let reason {
      diagnostics.append(.misplaced(attribute, "'\(property.name)' cannot be shared: \(reason)"))
    }
    property.isShared = reason == nil
  }

  private mutating func readSealed(
    _ attribute: AttributeSyntax, of property: inout StoredProperty,
    with attributes: PropertyAttributes
  ) {
    let arguments = attribute.labeledArguments
    var sealing =
      arguments.first?.expression.trimmed.namingSelf(typeIdentifier).description ?? ""
    if let path = arguments.first(where: { $0.label?.text == "by" })?.expression {
      guard let name = readKeyPath(path, of: property, isOnly: arguments.count == 1) else { return }
      sealing = "by: \(StringLiteralExprSyntax(content: name))"
    }
    let reason: String? =
      if attributes.objectID != nil {
        "it is the objectID"
      } else if property.isReference {
        "it is a reference, which the file must follow"
      } else if attributes.searchable != nil {
        "the full-text index would contain its terms"
      } else if attributes.sharedBlob != nil {
        "equal values differ once they are sealed"
      } else if !property.definition.isEmpty {
        "its column has its own definition"
      } else if attributes.indexed != nil, sealing.isEmpty || sealing.hasPrefix("by:") {
        "an index needs '@Sealed(.findable)'"
      } else {
        nil
      }
    if let reason {
      diagnostics.append(.misplaced(attribute, "'\(property.name)' cannot be sealed: \(reason)"))
    } else {
      property.sealing = sealing
      // Objects that were stored before the property existed cannot get a sealed value.
      property.literal = nil
    }
  }

  private mutating func readIndexed(
    _ attribute: AttributeSyntax, _ property: StoredProperty
  ) {
    var isUnique = false
    for argument in attribute.labeledArguments {
      guard let value = argument.expression.as(BooleanLiteralExprSyntax.self) else {
        diagnostics.report(
          argument.expression, "'unique' of '\(property.name)' must be 'true' or 'false'")
        return
      }
      isUnique = value.literal.tokenKind == .keyword(.true)
    }
    indexes.append(StoredType.Index(properties: [property.name], isUnique: isUnique))
  }
}

extension ExprSyntax? {
  /// The name of a tokenizer: the last part of an expression such as `.trigram`.
  fileprivate var tokenizerName: String {
    guard let self else { return "words" }
    return self.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? self.trimmedDescription
  }
}
