import ObjectVaultCondition

/// The converters of a class and of those that its associations lead to, by the paths of conditions.
struct ConverterPaths: Sendable {
  private let root: ClassDescription
  /// Under the tables' names in lower case.
  private let classes: [String: ClassDescription]

  /// The converters that conditions on a class can meet; `nil` where there is none.
  init?(_ declaration: ClassDeclaration) {
    let all = [declaration.description] + declaration.referenced.map(\.description)
    guard all.contains(where: { $0.properties.contains { $0.converter != nil } }) else {
      return nil
    }
    root = declaration.description
    classes = Dictionary(
      all.map { ($0.table.asciiLowercased, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The converter of what a path leads to.
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

  /// The converter of what a path spells: the name of a property, or names between dots.
  func converter(named spelling: String) -> ValueConverter? {
    // A property's name may have dots in it.
    if root.properties.contains(where: { $0.name == spelling }) {
      return converter(of: PropertyPath([spelling]))
    }
    return PropertyPath(spelling: spelling).flatMap(converter(of:))
  }
}

extension ObjectStore {
  /// The converter of what a path spells; `nil` where it is kept as its type is everywhere.
  func converter(named path: String) -> ValueConverter? {
    state.converters?.converter(named: path)
  }
}
