/// The owner of a page in a file: the table, index or other structure that the page belongs to.
public enum PageOwner: Sendable, Hashable {
  /// Objects of a class, with its name, or rows of a table that belongs to no class, with the
  /// table's name.
  case objects(of: String)
  /// An index, with its name and the name of its class or table.
  case index(String, of: String)
  /// The list of tables, which begins on page 1.
  case schema
  /// Free space, which holds no data.
  case freeSpace
  /// Pointers from pages to their parents, used by the engine.
  case pointerMap
  /// A page below another damaged page, with the number of that page and the name of its owner.
  ///
  /// The damaged page would determine the exact owner.
  case below(page: Int, of: String)
  /// An unknown owner.
  case unknown
}

extension PageOwner: CustomStringConvertible {
  /// The owner in words, such as `'Person'` or `the index 'byAge' of 'Person'`.
  public var description: String {
    switch self {
    case .objects(let name): "'\(name)'"
    case .index(let name, let table): "the index '\(name)' of '\(table)'"
    case .schema: "the schema table"
    case .freeSpace: "free space"
    case .pointerMap: "the pointer map"
    case .below(let page, let name): "the pages below page \(page) of '\(name)'"
    case .unknown: "an unknown owner"
    }
  }
}
