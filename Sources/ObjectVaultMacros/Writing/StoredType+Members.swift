import SwiftSyntax
import SwiftSyntaxBuilder

extension StoredType {
  /// Returns the members of the type itself: all code that names the types of properties.
  ///
  /// - Parameter protocols: The conformances that the type does not have yet.
  /// - Returns: The members.
  func members(missing protocols: [TypeSyntax]) -> [DeclSyntax] {
    var members: [DeclSyntax] = []
    if case .generated = objectID { members.append(generatedID) }
    members.append(description)
    if hasAssociations { members += associations }
    let hasIdentity =
      isIdentifiable && !objectID.isNamedID
      && protocols.contains { $0.nominal?.name == "Identifiable" }
    members += conditionMembers(hasIdentity: hasIdentity)
    switch objectID {
    case .generated: break
    case .property(let property): members += bound(to: property)
    case .composite(let parts): members += composite(of: parts)
    }
    if hasIdentity { members.append(identity) }
    if isClass {
      if hasImplicitInitializer { members.append("init() {}") }
      members.append(DeclSyntax(stringLiteral: rowInitializer))
    }
    return members
  }

  /// The member `id` of a type whose object ID has another name.
  private var identity: DeclSyntax {
    let (type, value) =
      switch objectID {
      case .generated: ("Swift.Int64?", "self.objectID")
      case .property(let property): (property.type.spelled, "self.\(property.identifier)")
      case .composite(let parts): ("CompositeID", compositeID(of: parts))
      }
    return """
      /// The objectID.
      \(raw: access)var id: \(raw: type) { \(raw: value) }
      """
  }

  private var generatedID: DeclSyntax {
    """
    /// The number the vault generated; `nil` until the object is stored.
    \(raw: access)var objectID: Swift.Int64?
    """
  }

  private var description: DeclSyntax {
    var arguments = [quoted(name)]
    if let table { arguments.append("table: \(quoted(table))") }
    let properties =
      hasAssociations ? self.memberList : properties.map { "    \(described($0))" }
    let label = hasAssociations ? "members" : "properties"
    arguments.append(
      properties.isEmpty
        ? "\(label): []" : "\(label): [\n\(properties.joined(separator: ",\n")),\n  ]")
    let idNames = idProperties.map(\.name)
    if !idNames.isEmpty { arguments.append("objectID: \(list(idNames))") }
    if !indexes.isEmpty {
      let indexes = indexes.map { index in
        ".init(\(list(index.properties))\(index.isUnique ? ", unique: true" : ""))"
      }
      arguments.append(
        indexes.count == 1
          ? "indexes: [\(indexes[0])]"
          : "indexes: [\n    \(indexes.joined(separator: ",\n    ")),\n  ]")
    }
    if !renamedFrom.isEmpty { arguments.append("renamedFrom: \(list(renamedFrom))") }
    if !searched.isEmpty {
      let module = searchModule.map { ", module: \($0.trimmed)" } ?? ""
      let tokenizer = tokenizer.map { ", tokenizer: \($0.trimmed)" } ?? ""
      arguments.append("search: .init(\(list(searched))\(module)\(tokenizer))")
    }
    if !options.isEmpty { arguments.append("options: .init(\(written(options)))") }
    let call = "ObjectVault.ClassDescription(\n  \(arguments.joined(separator: ",\n  "))\n)"
    // A generic type cannot have a static stored property.
    return isGeneric
      ? """
      \(raw: access)static var classDescription: ObjectVault.ClassDescription {
        \(raw: call.replacing("\n", with: "\n  "))
      }
      """
      : "\(raw: access)static let classDescription = \(raw: call)"
  }

  /// Returns the description of a property that is stored in a column.
  func described(_ property: StoredProperty) -> String {
    let description = ".init(\(describe(property)))"
    if property.isShared { return "\(description).shared()" }
    if let sealing = property.sealing { return "\(description).sealed(\(sealing))" }
    return property.definition.isEmpty
      ? description : "\(description).columnDefined(\(written(property.definition)))"
  }

  private func written(_ arguments: [(label: String, value: ExprSyntax)]) -> String {
    arguments.map { "\($0.label): \($0.value)" }.joined(separator: ", ")
  }

  func describe(_ property: StoredProperty) -> String {
    var arguments = [quoted(property.name), "\(property.type.metatypeBase).self"]
    if let converter = property.converter { arguments.append("converter: \(converter).self") }
    if let column = property.column { arguments.append("column: \(quoted(column))") }
    if let literal = property.literal { arguments.append("defaultValue: \(literal)") }
    if !property.renamedFrom.isEmpty {
      arguments.append("renamedFrom: \(list(property.renamedFrom))")
    }
    return arguments.joined(separator: ", ")
  }

  func list(_ names: [String]) -> String {
    "[\(names.map(quoted).joined(separator: ", "))]"
  }

  /// Returns the text as a string literal with any special characters escaped.
  func quoted(_ text: String) -> String {
    StringLiteralExprSyntax(content: text).description
  }

  var idProperties: [StoredProperty] {
    switch objectID {
    case .generated: []
    case .property(let property): [property]
    case .composite(let parts): parts
    }
  }
}
