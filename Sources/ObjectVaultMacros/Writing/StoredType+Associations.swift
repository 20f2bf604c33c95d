import SwiftSyntax
import SwiftSyntaxBuilder

extension StoredType {
  /// The `members` argument of the description of a type with associations.
  var memberList: [String] {
    properties.map { property in
      guard property.isReference else { return "    .property(\(described(property)))" }
      var arguments = describe(property)
      if let rule = property.onDelete { arguments += ", onDelete: \(rule)" }
      return "    .reference(\(arguments))"
    }
      + owned.map { owned in
        var arguments = [
          quoted(owned.name), "\(owned.type.spelled).self",
          "reference: \(quoted(owned.reference.name))",
        ]
        if !owned.isMany { arguments.append("isMany: false") }
        if !owned.sortedBy.isEmpty { arguments.append("sortedBy: \(list(owned.sortedBy))") }
        if owned.isOrdered { arguments.append("ordered: true") }
        return "    .owned(\(arguments.joined(separator: ", ")))"
      }
  }

  /// The members that describe a type with associations without the descriptions of other classes.
  ///
  /// The description of another class may need the description of this one.
  var associations: [DeclSyntax] {
    var target = quoted(table ?? name)
    if !idProperties.isEmpty {
      let columns = idProperties.map { property in
        let type = (property.type.optionalWrapped ?? property.type).spelled
        return "ObjectVault.ReferenceTarget.columns(\(quoted(property.columnName)), \(type).self)"
      }
      target += ", columns: \(columns.joined(separator: " + "))"
    }
    let classes =
      properties.filter(\.isReference).map { "(\($0.type.spelled)).referencedClass" }
      + owned.map { "\($0.type.spelled).self" }
    var members: [DeclSyntax] = [
      """
      \(raw: access)static var referenceTarget: ObjectVault.ReferenceTarget {
        ObjectVault.ReferenceTarget(table: \(raw: target))
      }
      """,
      """
      \(raw: access)static var referencedClasses: [any ObjectVault.StoredObject.Type] {
        [\(raw: classes.joined(separator: ", "))]
      }
      """,
    ]
    if !owned.isEmpty {
      let owned = owned.map { owned in
        ".\(owned.isMany ? "many" : "one")(\\.\(owned.identifier), by: \(owned.reference.path))"
      }
      members.append(
        """
        \(raw: access)static var ownedProperties: [ObjectVault.OwnedProperty<\(raw: identifier)>] {
          [\(raw: owned.joined(separator: ", "))]
        }
        """)
    }
    return members
  }
}
