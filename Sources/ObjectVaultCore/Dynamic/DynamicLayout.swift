import ObjectVaultCondition

/// Where the properties of a class described at run time stand in its rows.
final class DynamicLayout: Sendable {
  let description: ClassDescription
  /// The positions of the properties by name.
  let positions: [String: Int]

  init(_ description: ClassDescription) {
    self.description = description
    positions = Dictionary(
      description.properties.enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// - Throws: `.noSuchProperty`.
  func position(of name: String) throws(VaultError) -> Int {
    guard let position = positions[name] else { throw description.noSuchProperty(name) }
    return position
  }
}
