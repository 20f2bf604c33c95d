import SwiftSyntax
import SwiftSyntaxBuilder

extension StoredType {
  /// Returns the members for a single object ID; an optional one is assigned the generated ID.
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
      if isClass {
        members.append(
          """
          \(raw: access)func removeObjectID() {
            self.\(raw: property.identifier) = nil
          }
          """)
      }
    }
    return members
  }

  /// Returns the members for an object ID of several properties, including its nested type.
  func composite(of parts: [StoredProperty]) -> [DeclSyntax] {
    let storage = parts.map { "  \(access)var \($0.identifier): \($0.type.spelled)" }
    let parameters = parts.map { "\($0.identifier): \($0.type.spelled)" }
    let assignments = parts.map { "    self.\($0.identifier) = \($0.identifier)" }
    let positions = positions(of: parts)
    let bindings = zip(parts, positions).map { part, position in
      "    try self.\(part.identifier).bindObjectID(to: binder, at: \(position))"
    }
    let reads = zip(parts, positions).map { part, position in
      "\(part.argumentLabel): .readObjectID(from: row, at: \(position))"
    }
    let form = parts.map { part in
      "ObjectVault.ObjectIDPart.parts(\(quoted(part.name)), \(part.type.spelled).self)"
    }
    let counts = parts.map { "\($0.type.spelled).objectIDPartCount" }
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

        \(raw: access)func bindObjectID(to binder: ObjectVault.Binder, at position: Swift.Int) \
      throws {
      \(raw: bindings.joined(separator: "\n"))
        }

        \(raw: access)static var objectIDForm: [ObjectVault.ObjectIDPart] {
          \(raw: form.joined(separator: "\n      + "))
        }

        \(raw: access)static var objectIDPartCount: Swift.Int {
          \(raw: counts.joined(separator: " + "))
        }

        \(raw: access)static func readObjectID(
          from row: ObjectVault.Row, at position: Swift.Int
        ) throws -> CompositeID {
          try CompositeID(\(raw: reads.joined(separator: ", ")))
        }
      }
      """,
      "\(raw: access)typealias ObjectIDType = CompositeID",
      """
      \(raw: access)var storedObjectID: CompositeID? {
        \(raw: compositeID(of: parts))
      }
      """,
    ]
  }

  /// Returns the expression for an object ID of several properties.
  func compositeID(of parts: [StoredProperty]) -> String {
    let arguments = parts.map { "\($0.argumentLabel): self.\($0.identifier)" }
    return "CompositeID(\(arguments.joined(separator: ", ")))"
  }

  /// Returns the positions of the parts; a reference may have several columns.
  private func positions(of parts: [StoredProperty]) -> [String] {
    var references: [String] = []
    var offset = 0
    return parts.map { part in
      defer {
        if part.isReference {
          references.append("\(part.type.spelled).objectIDPartCount")
        } else {
          offset += 1
        }
      }
      return (["position"] + references + (offset == 0 ? [] : ["\(offset)"]))
        .joined(separator: " + ")
    }
  }
}
