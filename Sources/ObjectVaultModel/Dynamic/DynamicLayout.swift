import ObjectVaultCondition
package import ObjectVaultDriver
import Synchronization

/// The positions of properties in the rows of a class that is described at run time.
package final class DynamicLayout: Sendable {
  package let description: ClassDescription
  private let names: [String]
  /// The positions of the properties by name; empty if there are so few that comparing is faster.
  private let positions: [String: Int]
  /// The `Double` properties with a column that may store integral values as integers.
  let wholeReals: [Int]
  /// The types of the properties.
  ///
  /// A description is expensive to copy from an array.
  let types: [PropertyType]
  /// The default values of the properties; `.null` without one.
  let defaultValues: [StoredValue]

  package init(_ description: ClassDescription) {
    self.description = description
    names = description.properties.map(\.name)
    positions =
      names.count <= Self.mostCompared
      ? [:]
      : Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    wholeReals = description.properties.indices.filter { position in
      let property = description.properties[position]
      return property.definition.type != nil && property.type.columnType == "REAL"
    }
    types = description.properties.map(\.type)
    defaultValues = description.properties.map { $0.defaultValue ?? .null }
  }

  /// The layouts of the last classes, by name: a check for each object would cost more than the
  /// object.
  private static let known = Mutex<[String: DynamicLayout]>([:])
  private static var mostKnown: Int { 100 }

  /// Returns the layout of a description.
  ///
  /// - Throws: `.invalidClass` if the description is invalid.
  static func checked(_ description: ClassDescription) throws(VaultError) -> DynamicLayout {
    let former = known.withLock { $0[description.name] }
    if let former, former.description == description { return former }
    try description.validate()
    let layout = DynamicLayout(description)
    known.withLock {
      if $0.count >= mostKnown { $0.removeAll() }
      $0[description.name] = layout
    }
    return layout
  }

  /// Returns the position of a property.
  ///
  /// - Throws: `.noSuchProperty` if there is no such property.
  package func position(of name: String) throws(VaultError) -> Int {
    let position =
      names.count <= Self.mostCompared ? names.firstIndex(of: name) : positions[name]
    guard let position else { throw description.noSuchProperty(name) }
    return position
  }

  private static var mostCompared: Int { 12 }
}
