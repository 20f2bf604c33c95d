import SwiftSyntax
import SwiftSyntaxBuilder

extension StoredType {
  /// Returns the conformance, with the code that reads a row and that binds an object's values.
  ///
  /// No type is named here: names from the scope around a nested type are not visible inside an
  /// extension. The type of each property determines the type that is read.
  func `extension`(
    of type: TypeSyntax, missing protocols: [TypeSyntax]
  ) throws -> ExtensionDeclSyntax {
    var conformances: [String] = []
    for name in protocols.compactMap(\.nominal?.name) {
      switch (name, objectID) {
      case ("StoredObject", _), ("GeneratesObjectID", .generated):
        conformances.append("ObjectVault.\(name)")
      case ("Identifiable", _) where isIdentifiable:
        conformances.append("Swift.Identifiable")
      default: continue
      }
    }
    let clause = conformances.isEmpty ? "" : ": \(conformances.joined(separator: ", "))"
    var places = ColumnPlaces()
    let bindings = properties.flatMap { property in
      property.isReference
        ? places.reference { "try binder.bind(reference: self.\(property.identifier), \($0))" }
        : places.value {
          "try binder.bind(self.\(property.identifier), at: \($0)\(conversion(of: property)))"
        }
    }.map { "    \($0)" }
    let initializer =
      isClass ? "" : "  \(rowInitializer.replacing("\n", with: "\n  "))\n\n"
    let prefix = deprecation + access
    let attributes = availability.map { "\($0)\n" }.joined()
    return try ExtensionDeclSyntax(
      """
      \(raw: attributes)extension \(type.trimmed)\(raw: clause) {
      \(raw: initializer)  \(raw: prefix)func encode(into binder: ObjectVault.Binder) throws {
      \(raw: bindings.joined(separator: "\n"))
        }
      }
      """)
  }

  /// The source of `init(row:)`.
  ///
  /// In an extension it does not suppress the memberwise initializer of a struct. A class can have
  /// it only as a member.
  var rowInitializer: String {
    var reads: [String] = []
    if hasMemberwiseInitializer {
      reads.append("self = try Properties._object(from: row)")
    } else {
      let readings = readings
      reads = readings.properties.flatMap { property, preparations, value in
        preparations + ["self.\(property.identifier) = \(value)"]
      }
      if let number = readings.number { reads.append("self.objectID = \(number)") }
      // Initial values are ignored: the store loads owned objects, or they stay `nil`.
      reads += owned.map { "self.\($0.identifier) = nil" }
    }
    reads = reads.map { "  \($0)" }
    return """
      \(hasMemberwiseInitializer ? "" : deprecation)\(access)init(row: ObjectVault.Row) throws {
      \(reads.joined(separator: "\n"))
      }
      """
  }

  /// The statements and expressions that read a row.
  ///
  /// Each property has preparatory statements and an expression. `number` is the expression for a
  /// generated ID, or `nil`.
  var readings:
    (
      properties: [(property: StoredProperty, preparations: [String], value: String)],
      number: String?
    )
  {
    var places = ColumnPlaces()
    let values = properties.map { property in
      let statements =
        property.isReference
        ? places.reference { "try row.reference(\($0))" }
        : places.value { "try row.value(at: \($0)\(conversion(of: property)))" }
      return (property, Array(statements.dropLast()), statements[statements.count - 1])
    }
    guard case .generated = objectID else { return (values, nil) }
    return (values, places.value { "try row.value(at: \($0))" }[0])
  }
}

/// The positions of the properties' columns.
///
/// Positions are constants up to the first reference, which has as many columns as the object ID of
/// its target has parts. After it, positions are counted at run time.
private struct ColumnPlaces {
  private var offset = 0
  private var isCounting = false

  mutating func value(_ statement: (String) -> String) -> [String] {
    defer { offset += 1 }
    guard isCounting else { return [statement("\(offset)")] }
    return [statement(offset == 0 ? "position" : "position + \(offset)")]
  }

  mutating func reference(_ statement: (String) -> String) -> [String] {
    var statements: [String] = []
    if !isCounting {
      statements.append("var position = \(offset)")
    } else if offset > 0 {
      statements.append("position += \(offset)")
    }
    isCounting = true
    offset = 0
    return statements + [statement("advancing: &position")]
  }
}
