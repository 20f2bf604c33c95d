import SwiftSyntax
import SwiftSyntaxBuilder

extension StoredType {
  /// One property is the objectID; an optional one takes the number the vault generates.
  func bound(to property: StoredProperty) -> [DeclSyntax] {
    let type = (property.type.optionalWrapped ?? property.type).spelled
    var members: [DeclSyntax] = [
      "\(raw: access)typealias ObjectIDType = \(raw: type)",
      "\(raw: access)var storedObjectID: \(raw: type)? { self.\(raw: property.identifier) }",
    ]
    if property.isOptional {
      members.append(
        """
        \(raw: access)\(raw: isClass ? "" : "mutating ")func assignObjectID(_ id: \(raw: type)) {
          self.\(raw: property.identifier) = id
        }
        """)
    }
    return members
  }

  /// Several properties make the objectID, which gets a type of its own.
  func composite(of parts: [StoredProperty]) -> [DeclSyntax] {
    let storage = parts.map { "  \(access)var \($0.identifier): \($0.type.spelled)" }
    let parameters = parts.map { "\($0.identifier): \($0.type.spelled)" }
    let assignments = parts.map { "    self.\($0.identifier) = \($0.identifier)" }
    let bindings = parts.enumerated().map { offset, part in
      let position = offset == 0 ? "position" : "position + \(offset)"
      return "    try self.\(part.identifier).bindObjectID(to: binder, at: \(position))"
    }
    let arguments = parts.map { "\($0.argumentLabel): self.\($0.identifier)" }
    let values = parts.map { "self.\($0.identifier).objectIDParts" }
    return [
      """
      /// The objectID of ``\(raw: name)``.
      \(raw: access)struct CompositeID: ObjectVault.ObjectIDValue {
      \(raw: storage.joined(separator: "\n"))

        \(raw: access)init(\(raw: parameters.joined(separator: ", "))) {
      \(raw: assignments.joined(separator: "\n"))
        }

        \(raw: access)var objectIDParts: [ObjectVault.StoredValue] {
          get throws { try \(raw: values.joined(separator: " + ")) }
        }

        \(raw: access)func bindObjectID(to binder: ObjectVault.Binder, at position: Int) throws {
      \(raw: bindings.joined(separator: "\n"))
        }
      }
      """,
      "\(raw: access)typealias ObjectIDType = CompositeID",
      """
      \(raw: access)var storedObjectID: CompositeID? {
        CompositeID(\(raw: arguments.joined(separator: ", ")))
      }
      """,
    ]
  }
}
