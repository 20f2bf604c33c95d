import ObjectVaultCondition

/// An index that a class does not have, and that would help a query.
public struct IndexSuggestion: Sendable, Hashable {
  /// The name of the class.
  public var className: String
  /// The index.
  public var index: IndexDescription
  /// What to write into the class: `@Indexed var age: Int`, or for several properties
  /// `@Stored(indexes: [["age", "name"]])`.
  public var declaration: String

  init(_ properties: [String], of description: ClassDescription) {
    className = description.name
    index = IndexDescription(properties)
    if properties.count == 1,
      let property = description.properties.first(where: { $0.name == properties[0] })
    {
      let type = property.type == .json ? "…" : property.type.rawValue
      declaration = "@Indexed var \(property.name): \(type)\(property.isOptional ? "?" : "")"
    } else {
      let names = properties.map { "\"\($0)\"" }.joined(separator: ", ")
      declaration = "@Stored(indexes: [[\(names)]])"
    }
  }
}

/// Finds the index that a condition and an order could use: the columns that equal something, then
/// the one that lies in a range, or else those that the rows are sorted by.
struct IndexAdvice {
  let description: ClassDescription
  let order: [SortKey]
  let reversesTies: Bool

  /// The indexes that would help, none of which the class has.
  func suggestions(for condition: ResolvedCondition?) -> [IndexSuggestion] {
    // Each branch of an OR needs an index, or all rows are read all the same.
    if case .or(let branches) = condition {
      let wanted = branches.map { columns(for: $0, order: []) }
      guard wanted.allSatisfy({ !$0.isEmpty }) else { return [] }
      return suggestions(wanted)
    }
    return suggestions([columns(for: condition, order: servedOrder)])
  }

  /// The properties by which an index would find what a condition asks for, were the table not to be
  /// read for it; none where the objects are sorted, or found by several indexes.
  func properties(thatFind condition: ResolvedCondition?) -> [String] {
    guard order.isEmpty, let condition else { return [] }
    if case .or = condition { return [] }
    return columns(for: condition, order: [], readsTable: false)
      .map { description.properties[$0].name }
  }

  /// The index that answers a statement alone; `nil` where it reads too much for that, or a class has it.
  ///
  /// - Parameters:
  ///   - found: The properties by which the index finds the objects.
  ///   - columns: The columns that the statement reads, in lower case.
  func covering(_ found: [String], reading columns: Set<String>) -> IndexSuggestion? {
    guard !found.isEmpty else { return nil }
    let properties = description.properties
    let read = properties.filter { columns.contains($0.column.asciiLowercased) }
    let rest = read.filter { !found.contains($0.name) }
    // An index has the objectID anyhow.
    let objectID = description.objectIDPositions.map { description.rowColumns[$0] }
    let known = (read.map(\.column) + objectID).map(\.asciiLowercased)
    guard columns.isSubset(of: known + ["rowid"]),
      found.count + rest.count <= Self.mostCovered, rest.allSatisfy({ $0.type.isShort })
    else { return nil }
    let names = found + rest.map(\.name)
    return isServed(names) ? nil : IndexSuggestion(names, of: description)
  }

  /// Of more columns an index would be a second table.
  private static let mostCovered = 4

  private func suggestions(_ wanted: [[Int]]) -> [IndexSuggestion] {
    var found: [IndexSuggestion] = []
    for columns in wanted where !columns.isEmpty {
      let names = columns.map { description.properties[$0].name }
      if isServed(names) { continue }
      let suggestion = IndexSuggestion(names, of: description)
      if !found.contains(suggestion) { found.append(suggestion) }
    }
    return found
  }

  /// The columns of the order, where an index gives it: all in the direction of the objects that are
  /// equal in them, none folded, none with nil elsewhere than the index has it.
  private var servedOrder: [Int] {
    let isServed = order.allSatisfy { key in
      isIndexable(key.value) && key.options.isEmpty && key.isAscending != reversesTies
        && (key.isNilFirst ?? key.isAscending) == key.isAscending
    }
    return isServed ? order.map(\.value.position) : []
  }

  /// - Parameter readsTable: Whether each row that an index finds is looked up in the table.
  private func columns(
    for condition: ResolvedCondition?, order: [Int], readsTable: Bool = true
  ) -> [Int] {
    var equal: [Int] = []
    /// A column for each bound of its range.
    var bounds: [Int] = []
    func add(_ shape: ValueShape, to columns: inout [Int]) {
      if isIndexable(shape), !columns.contains(shape.position) { columns.append(shape.position) }
    }
    func addBounds(_ count: Int, of shape: ValueShape) {
      if isIndexable(shape) { bounds += repeatElement(shape.position, count: count) }
    }
    for term in condition?.conjuncts ?? [] {
      switch term {
      case .compare(let shape, .equal, .value, []): add(shape, to: &equal)
      case .among(let shape, _), .isNil(let shape): add(shape, to: &equal)
      case .compare(let shape, let op, .value, []) where op.isOrdered: addBounds(1, of: shape)
      case .text(let search) where search.op == .beginsWith && search.options.isEmpty:
        if case .shape(let shape) = search.subject, case .value = search.pattern {
          addBounds(2, of: shape)
        }
      default: break
      }
    }
    // One bound alone leaves so many rows that the engine would rather read all, in the order of
    // insertion that they have already, than sort those.
    let isSorted = !self.order.isEmpty
    let range = bounds.first { column in
      !equal.contains(column)
        && (!readsTable || isSorted || !equal.isEmpty || bounds.filter { $0 == column }.count > 1)
    }
    return equal + (range.map { [$0] } ?? order.filter { !equal.contains($0) })
  }

  private func isIndexable(_ shape: ValueShape) -> Bool {
    // Decimals are compared by a collation that no index has, since other programs lack it.
    shape.isColumn && shape.origin == .object && shape.type != .decimal
      && shape.position < description.properties.count
  }

  /// Whether the objectID, a reference or an index of the class begins with the columns.
  private func isServed(_ names: [String]) -> Bool {
    let present =
      description.indexes.map(\.properties) + description.references.map(\.properties)
      + [description.objectIDPositions.map { description.rowNames[$0] }]
    return present.contains { $0.starts(with: names) }
  }
}

extension PropertyType {
  /// Whether all its values are short, so that an index may well keep them beside those it orders by.
  fileprivate var isShort: Bool {
    switch self {
    case .string, .data, .url, .decimal, .json: false
    default: true
    }
  }
}
