import SwiftDiagnostics
import SwiftSyntax

/// The reader of a stored type's members, which collects its stored properties.
struct PropertyReader {
  let typeName: String
  /// The type's name as written.
  let typeIdentifier: String
  /// The names of the only properties to store, or `nil` for all.
  let only: [String]?
  var diagnostics: [Diagnostic] = []

  /// The stored properties in declaration order.
  var properties: [StoredProperty] = []
  /// The owned objects that `@Owned` marks, in declaration order.
  var owned: [OwnedProperty] = []
  /// The properties that `@ObjectID` marks.
  var idProperties: [StoredProperty] = []
  /// The indexes that `@Indexed` declares.
  var indexes: [StoredType.Index] = []
  /// The names of the properties that `@Searchable` marks.
  var searched: [String] = []
  /// The tokenizer of each of them, as written; `nil` if it is not.
  var tokenizers: [ExprSyntax?] = []
  /// The properties that name keys in `@Sealed(by:)`, with their key paths.
  var keyNames: [(name: String, path: ExprSyntax)] = []
  /// The properties that are not stored, with the reason: "is marked '@Ignored'".
  var leftOut: [String: String] = [:]
  /// Whether no stored property requires an initializer.
  var everythingHasInitialValue = true
  /// The declaration of every property, including properties that are not stored.
  private(set) var declarations: [(name: String, node: VariableDeclSyntax, pattern: Syntax)] = []

  var objectID: StoredType.ObjectID {
    switch idProperties.count {
    case 0: .generated
    case 1: .property(idProperties[0])
    default: .composite(idProperties)
    }
  }

  mutating func read(_ members: MemberBlockItemListSyntax) {
    for member in members {
      if let variable = member.decl.as(VariableDeclSyntax.self) {
        read(variable)
      } else if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
        refuseProperties(in: conditional)
      }
    }
    checkPrivateTypes(members)
    checkObjectID()
    checkColumns()
    checkKeyNames()
  }

  // MARK: One declaration

  private mutating func read(_ variable: VariableDeclSyntax) {
    let attributes = PropertyAttributes(variable.attributes)
    let names = variable.bindings.compactMap {
      $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText
    }
    let name = names.first ?? variable.bindings.first?.pattern.trimmedDescription ?? "?"
    for attribute in attributes.repeated {
      diagnostics.misplaced(attribute, "'\(name)' has '@\(attribute.baseName)' twice")
    }
    for binding in variable.bindings {
      if let name = binding.plainName {
        declarations.append((name, variable, Syntax(binding.pattern)))
      }
    }
    if variable.modifiers.contains(where: { ["static", "class"].contains($0.name.text) }) {
      return refuse(attributes, on: "'\(name)' is static and belongs to no object")
    }
    if variable.bindings.allSatisfy(\.isComputed) {
      return refuse(attributes, on: "'\(name)' is computed and has no value to store")
    }
    if let conditional = attributes.conditional.first {
      return refuse(conditional: conditional, on: name)
    }
    if let reason = reasonToLeaveOut(variable, attributes) {
      for name in names { leftOut[name] = reason }
      return readLeftOut(variable, attributes, names: names)
    }
    if let conditional = attributes.foreignConditional.first {
      return refuse(conditional: conditional, on: name)
    }
    guard canBeStored(variable, attributes, name: name) else { return }
    if let attribute = attributes.owned {
      return readOwned(attribute, variable, attributes)
    }
    readBindings(variable, attributes)
  }

  private mutating func refuse(_ attributes: PropertyAttributes, on reason: String) {
    for attribute in attributes.all + attributes.conditional {
      diagnostics.misplaced(attribute, "'@\(attribute.baseName)' has no effect here: \(reason)")
    }
  }

  /// Reports an attribute inside `#if` on a property that is stored, or that may be.
  private mutating func refuse(conditional attribute: AttributeSyntax, on name: String) {
    diagnostics.report(
      attribute,
      "'\(name)' has an attribute inside '#if': the table must be the same in every build")
  }

  /// Checks a property that is not stored: it needs an initial value for objects read from a row.
  private mutating func readLeftOut(
    _ variable: VariableDeclSyntax, _ attributes: PropertyAttributes, names: [String]
  ) {
    let reason = attributes.ignored == nil ? "is not listed in 'only'" : "is ignored"
    for other in attributes.all where other.baseName != "Ignored" {
      diagnostics.misplaced(
        other, "'\(names.first ?? "?")' \(reason), so '@\(other.baseName)' has no effect")
    }
    let isLet = variable.bindingSpecifier.tokenKind == .keyword(.let)
    for binding in variable.bindings where !binding.isComputed && binding.initializer == nil {
      let isNil = !isLet && binding.typeAnnotation?.type.isImplicitlyNil == true
      // A property wrapper may provide an initial value.
      if isNil || !attributes.foreign.isEmpty { continue }
      diagnostics.report(
        binding.pattern,
        "'\(binding.plainName ?? "?")' \(reason), so it needs an initial value: "
          + "reading an object does not set it",
        fixIts: FixIt.inserting(
          " = <#initial value#>", after: binding.declaredPart, "add an initial value"))
    }
  }

  /// Returns whether the declaration is of a kind that can be stored, and reports the reason if
  /// not.
  private mutating func canBeStored(
    _ variable: VariableDeclSyntax, _ attributes: PropertyAttributes, name: String
  ) -> Bool {
    let reason: String? =
      if variable.modifiers.contains(where: { $0.name.text == "lazy" }) {
        "is lazy"
      } else if variable.modifiers.contains(where: { ["weak", "unowned"].contains($0.name.text) }) {
        "is 'weak' or 'unowned'"
      } else if let foreign = attributes.foreign.first {
        "is wrapped by '@\(foreign.attributeName.trimmedDescription)'"
      } else {
        nil
      }
    if let reason {
      diagnostics.report(
        variable.bindings.first.map { Syntax($0.pattern) } ?? Syntax(variable),
        "'\(name)' cannot be stored: it \(reason)", fixIts: FixIt.ignoring(variable))
    }
    return reason == nil
  }

  /// Reports properties inside `#if`.
  ///
  /// The compiled branch is not known here, and a property must not be lost silently.
  private mutating func refuseProperties(in conditional: IfConfigDeclSyntax) {
    for clause in conditional.clauses {
      guard let members = clause.elements?.as(MemberBlockItemListSyntax.self) else { continue }
      for member in members {
        if let nested = member.decl.as(IfConfigDeclSyntax.self) { refuseProperties(in: nested) }
        guard let variable = member.decl.as(VariableDeclSyntax.self),
          reasonToLeaveOut(variable, PropertyAttributes(variable.attributes)) == nil,
          !variable.modifiers.contains(where: { ["static", "class"].contains($0.name.text) })
        else { continue }
        for binding in variable.bindings where !binding.isComputed {
          diagnostics.report(
            binding.pattern,
            "'\(binding.plainName ?? "?")' cannot be stored inside '#if': the table must "
              + "be the same in every build",
            fixIts: FixIt.ignoring(variable))
        }
      }
    }
  }

  // MARK: The class as a whole

  func declaration(
    of property: StoredProperty
  ) -> (name: String, node: VariableDeclSyntax, pattern: Syntax)? {
    declarations.last { $0.name == property.name }
  }

  /// Reports private types that properties have, or that convert them.
  ///
  /// Generated code outside the type names them.
  private mutating func checkPrivateTypes(_ members: MemberBlockItemListSyntax) {
    for member in members {
      guard let type = member.decl.asProtocol((any NamedDeclSyntax).self),
        let modifiers = member.decl.asProtocol((any WithModifiersSyntax).self)?.modifiers,
        let modifier = modifiers.first(where: { $0.name.text == "private" }),
        let use = use(of: type.name.text)
      else { continue }
      diagnostics.report(
        modifier.name,
        "'\(type.name.plainText)' is the \(use), so generated code outside "
          + "'\(typeName)' needs it: make it 'fileprivate'",
        fixIts: [.replacing(modifier.name, by: "fileprivate", "make it 'fileprivate'")])
    }
  }

  /// Returns the use of a type, such as "type of 'name'", or `nil`.
  private func use(of type: String) -> String? {
    if let property = properties.first(where: { $0.type.names(type) }) {
      return "type of '\(property.name)'"
    }
    if let property = owned.first(where: { $0.type.names(type) }) {
      return "type of '\(property.name)'"
    }
    return properties.first { $0.converter?.names(type) == true }
      .map { "converter of '\($0.name)'" }
  }

  /// Reports columns whose names differ only in the case of ASCII letters, as SQLite ignores it.
  private mutating func checkColumns() {
    var seen: [String: StoredProperty] = [:]
    for property in properties {
      let key = NameRules.folded(property.columnName)
      guard let first = seen.updateValue(property, forKey: key) else { continue }
      guard let found = declaration(of: property) else { continue }
      diagnostics.report(
        found.pattern,
        "'\(property.name)' and '\(first.name)' would share the column "
          + "'\(property.columnName)': SQLite ignores the case of ASCII letters",
        fixIts: property.column == nil ? FixIt.namingColumn(of: found.node) : [])
    }
  }
}

extension PatternBindingSyntax {
  /// The name without backquotes.
  var plainName: String? {
    pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText
  }

  /// Whether the property has a getter instead of storage; `willSet` and `didSet` are no getters.
  var isComputed: Bool {
    switch accessorBlock?.accessors {
    case .none: false
    case .getter: true
    case .accessors(let list):
      !list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
  }

  /// The name with its type, if it has one.
  var declaredPart: Syntax { typeAnnotation.map(Syntax.init) ?? Syntax(pattern) }
}
