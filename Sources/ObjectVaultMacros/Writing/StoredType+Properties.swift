import SwiftSyntax
import SwiftSyntaxBuilder

extension StoredType {
  /// Returns the members for typed conditions, and the property names for key paths.
  ///
  /// - Parameter hasIdentity: Whether the type gets a member `id` for its object ID.
  /// - Returns: The members.
  func conditionMembers(hasIdentity: Bool) -> [DeclSyntax] {
    var members = properties.map { property in
      member(property.access, property.identifier, typeInConditions(of: property), property.name)
    }
    if case .generated = objectID {
      members.append(member(access, "objectID", "ObjectVault.Property<Swift.Int64>", "objectID"))
    }
    members += owned.map { owned in
      let kind = owned.isMany ? "RelatedObjects" : "RelatedObject"
      return member(
        owned.access, owned.identifier, "ObjectVault.\(kind)<\(owned.type.spelled)>", owned.name)
    }
    let names =
      properties.map { ($0.identifier, $0.name) } + owned.map { ($0.identifier, $0.name) }
      + (isGenerated ? [("objectID", "objectID")] : []) + (hasIdentity ? identityName : [])
    let paths = names.map { "    \\\(identifier).\($0.0): \(quoted($0.1))," }
    // An extension cannot name a converter from the scope around the type.
    members += converters.map { property, alias in
      let access = property.access == "fileprivate " ? property.access : ""
      return "  \(access)typealias \(alias) = \(property.converter?.description ?? "")"
    }
    if hasMemberwiseInitializer { members.append(maker) }
    let prefix = deprecation + access
    return [
      """
      /// The members of ``\(raw: name)`` that conditions can name.
      \(raw: access)struct Properties: ObjectVault.ObjectProperties {
        private let _origin: ObjectVault.PropertyOrigin
        \(raw: access)init(origin: ObjectVault.PropertyOrigin) { self._origin = origin }
      \(raw: members.joined(separator: "\n"))
      }
      """,
      names.isEmpty
        ? "\(raw: prefix)static var propertyNames: [Swift.AnyKeyPath: Swift.String] { [:] }"
        : """
        \(raw: prefix)static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
          [
        \(raw: paths.joined(separator: "\n"))
          ]
        }
        """,
    ]
  }

  /// The source of a function that creates an object from a row by the memberwise initializer.
  ///
  /// With another initializer, the compiler copies the assembled object. The call has every label
  /// of the memberwise initializer, and each value has its type. An initializer of an extension
  /// that leaves out `objectID` is therefore not selected.
  private var maker: String {
    let readings = readings
    var statements: [String] = []
    var arguments: [String] = []
    for (offset, (property, preparations, value)) in readings.properties.enumerated() {
      statements += preparations + ["let value\(offset): \(property.type) = \(value)"]
      arguments.append("\(property.argumentLabel): value\(offset)")
    }
    if let number = readings.number {
      statements.append("let number: Swift.Int64? = \(number)")
      arguments.append("objectID: number")
    }
    statements.append("return \(identifier)(\n  \(arguments.joined(separator: ",\n  "))\n)")
    return """
        static func _object(from row: ObjectVault.Row) throws -> \(identifier) {
          \(statements.joined(separator: "\n").replacing("\n", with: "\n    "))
        }
      """
  }

  /// The properties that are stored through converters, and the type aliases of these in
  /// `Properties`.
  private var converters: [(property: StoredProperty, alias: String)] {
    properties.filter { $0.converter != nil }.enumerated().map {
      ($0.element, "_Converter\($0.offset)")
    }
  }

  /// Returns the argument for the converter after the position at which a property is read or
  /// bound.
  func conversion(of property: StoredProperty) -> String {
    guard
      let (_, alias) = converters.first(where: { $0.property.identifier == property.identifier })
    else { return "" }
    return ", through: Properties.\(alias).self"
  }

  /// The key path `id` with the name of the object ID, unless that has several parts.
  private var identityName: [(String, String)] {
    switch objectID {
    case .generated: [("id", "objectID")]
    case .property(let property): [("id", property.name)]
    case .composite: []
    }
  }

  private var isGenerated: Bool { if case .generated = objectID { true } else { false } }

  private func member(
    _ access: String, _ identifier: String, _ type: String, _ name: String
  ) -> String {
    let kind =
      type.hasPrefix("ObjectVault.RelatedObjects<")
      ? "objects" : type.hasPrefix("ObjectVault.RelatedObject<") ? "object" : "property"
    return "  \(access)var \(identifier): \(type) { self._origin.\(kind)(\(quoted(name))) }"
  }

  private func typeInConditions(of property: StoredProperty) -> String {
    let type = property.type.optionalWrapped ?? property.type
    guard property.isReference, let target = type.referencedType else {
      if let converter = property.converter {
        return "ObjectVault.ConvertedProperty<\(converter), \(property.type.spelled)>"
      }
      return "ObjectVault.Property<\(property.type.spelled)>"
    }
    return "ObjectVault.RelatedObject<\(target)>"
  }
}
