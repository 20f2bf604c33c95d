import ObjectVaultCondition

/// The converters of a class and of its associated classes, by condition path.
package struct ConverterPaths: Sendable {
  private let root: ClassDescription
  /// The classes by table name in lower case.
  private let classes: [String: ClassDescription]

  /// Creates the converters that conditions on a class can use, or returns `nil` if there are none.
  ///
  /// - Parameters:
  ///   - description: The class.
  ///   - associated: The classes that its associations lead to.
  package init?(_ description: ClassDescription, _ associated: [ClassDescription]) {
    let all = [description] + associated
    guard all.contains(where: { $0.properties.contains { $0.converter != nil } }) else {
      return nil
    }
    root = description
    classes = Dictionary(
      all.map { ($0.table.asciiLowercased, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the converter of the property at the end of a path.
  func converter(of path: PropertyPath) -> ValueConverter? {
    switch path.aggregate {
    case .none, .min, .max: break
    case .count, .sum, .avg: return nil
    }
    var description = root
    for name in path.names.dropLast() {
      let target =
        description.references.first { $0.name == name }?.target
        ?? description.owned.first { $0.name == name }?.target
      guard let target, let next = classes[target.asciiLowercased] else { return nil }
      description = next
    }
    return description.properties.first { $0.name == path.names.last }?.converter
  }

  /// Returns the converter for a property name, or for a path of names separated by dots.
  package func converter(named spelling: String) -> ValueConverter? {
    // A property's name can contain dots.
    if root.properties.contains(where: { $0.name == spelling }) {
      return converter(of: PropertyPath([spelling]))
    }
    return PropertyPath(spelling: spelling).flatMap(converter(of:))
  }
}
