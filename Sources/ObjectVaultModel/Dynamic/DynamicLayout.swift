import ObjectVaultCondition
package import ObjectVaultDriver

/// The positions of properties in the rows of a class that is described at run time.
package final class DynamicLayout: Sendable {
  package let description: ClassDescription
  /// The positions of the properties by name.
  let positions: [String: Int]
  /// The `Double` properties with a column that may store integral values as integers.
  let wholeReals: [Int]

  package init(_ description: ClassDescription) {
    self.description = description
    positions = Dictionary(
      description.properties.enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first })
    wholeReals = description.properties.indices.filter { position in
      let property = description.properties[position]
      return property.definition.type != nil && property.type.columnType == "REAL"
    }
  }

  /// Returns the position of a property.
  ///
  /// - Throws: `.noSuchProperty` if there is no such property.
  package func position(of name: String) throws(VaultError) -> Int {
    guard let position = positions[name] else { throw description.noSuchProperty(name) }
    return position
  }
}
