/// What a page of a file is for.
public enum PageOwner: Sendable, Hashable {
  /// Objects of a class, or rows of a table that is no class's; the class's or table's name.
  case objects(of: String)
  /// An index, by its name, of a class or table.
  case index(String, of: String)
  /// The list of tables, which page 1 begins.
  case schema
  /// Free space: nothing is lost with it.
  case freeSpace
  /// Pointers from pages to their parents, which the engine keeps for itself.
  case pointerMap
  /// Something below another bad page, which would tell what; the page and its owner's name.
  case below(page: Int, of: String)
  /// It cannot be told.
  case unknown
}

extension PageOwner: CustomStringConvertible {
  /// For people: `'Person'`, `the index 'byAge' of 'Person'`.
  public var description: String {
    switch self {
    case .objects(let name): "'\(name)'"
    case .index(let name, let table): "the index '\(name)' of '\(table)'"
    case .schema: "the list of tables"
    case .freeSpace: "free space"
    case .pointerMap: "the map of pointers"
    case .below(let page, let name): "what is below page \(page) of '\(name)'"
    case .unknown: "nothing that can be told"
    }
  }
}
