import SwiftSyntax
import SwiftSyntaxBuilder

extension StoredType {
  /// The conformance: how a row becomes an object, and an object parameters.
  ///
  /// No type is named here: inside an extension of a nested type the names of its surroundings
  /// mean nothing, and each property tells what it is read as.
  func `extension`(
    of type: TypeSyntax, missing protocols: [TypeSyntax]
  ) throws -> ExtensionDeclSyntax {
    var conformances: [String] = []
    for name in protocols.compactMap(\.nominal?.name) {
      switch (name, objectID) {
      case ("StoredObject", _), ("GeneratesObjectID", .generated):
        conformances.append("ObjectVault.\(name)")
      default: continue
      }
    }
    let clause = conformances.isEmpty ? "" : ": \(conformances.joined(separator: ", "))"
    let bindings = properties.enumerated().map { position, property in
      "    try binder.bind(self.\(property.identifier), at: \(position))"
    }
    let initializer =
      isClass ? "" : "  \(rowInitializer.replacing("\n", with: "\n  "))\n\n"
    return try ExtensionDeclSyntax(
      """
      extension \(type.trimmed)\(raw: clause) {
      \(raw: initializer)  \(raw: access)func encode(into binder: ObjectVault.Binder) throws {
      \(raw: bindings.joined(separator: "\n"))
        }
      }
      """)
  }

  /// `init(row:)`: a struct keeps its memberwise initializer when this stands in an extension, a
  /// class can have it only as a member.
  var rowInitializer: String {
    var names = properties.map(\.identifier)
    if case .generated = objectID { names.append("objectID") }
    let reads = names.enumerated().map { position, name in
      "  self.\(name) = try row.value(at: \(position))"
    }
    return """
      \(access)init(row: ObjectVault.Row) throws {
      \(reads.joined(separator: "\n"))
      }
      """
  }
}
