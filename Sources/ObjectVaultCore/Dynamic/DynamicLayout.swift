import ObjectVaultCondition

/// Where the properties of a class described at run time stand in its rows.
final class DynamicLayout: Sendable {
  let description: ClassDescription
  /// The positions of the properties by name.
  let positions: [String: Int]
  /// The properties of doubles whose column may keep a whole one as an integer.
  let wholeReals: [Int]

  init(_ description: ClassDescription) {
    self.description = description
    positions = Dictionary(
      description.properties.enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first })
    wholeReals = description.properties.indices.filter { position in
      let property = description.properties[position]
      return property.definition.type != nil && property.type.columnType == "REAL"
    }
  }

  /// - Throws: `.noSuchProperty`.
  func position(of name: String) throws(VaultError) -> Int {
    guard let position = positions[name] else { throw description.noSuchProperty(name) }
    return position
  }
}
