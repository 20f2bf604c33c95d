import ObjectVaultCondition
public import ObjectVaultModel
import ObjectVaultSchema

/// An index that would speed up a query and that its class lacks.
///
/// ```swift
/// let explanation = try students.where("age >= %@", 18).sorted(by: "name").explain()
/// for suggestion in explanation.suggestions { print(suggestion.declaration) }
/// ```
public struct IndexSuggestion: Sendable, Hashable {
  /// The name of the class.
  public var className: String
  /// The suggested index.
  public var index: IndexDescription
  /// The declaration to add to the class.
  ///
  /// For example `@Indexed var age: Int`, or `@Stored(indexes: [["age", "name"]])` for several
  /// properties.
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

/// An advisor that finds the index for a condition and an order.
///
/// Its columns are those compared for equality, followed by the column of a range, or else by the
/// columns of the order. For the first objects in an order, they are followed by the columns of the
/// order and then by those that the condition compares: SQLite reads such an index in order, decides
/// without the table which objects match, and stops after the last one that is requested.
struct IndexAdvice {
  let description: ClassDescription
  let order: [SortKey]
  let reversesTies: Bool
  /// Whether only some of the objects are requested.
  var isLimited = false
  /// The positions of the columns with a collation of another program, which an index would have.
  var collated: Set<Int> = []

  /// Returns the indexes that would help and that the class lacks.
  func suggestions(for condition: ResolvedCondition?) -> [IndexSuggestion] {
    // Each branch of an OR needs an index; otherwise all rows are read anyway.
    if case .or(let branches) = condition {
      let wanted = branches.filter { !findsByGeneratedID($0) }
        .map { columns(for: $0, order: []) }
      guard wanted.allSatisfy({ !$0.isEmpty }) else { return [] }
      return suggestions(wanted)
    }
    return suggestions([columns(for: condition, order: servedOrder)])
  }

  /// Returns whether a condition finds objects by their generated object ID, without an index.
  private func findsByGeneratedID(_ condition: ResolvedCondition) -> Bool {
    func isGeneratedID(_ shape: ValueShape) -> Bool {
      shape.isColumn && shape.origin == .object && shape.position == description.properties.count
    }
    return condition.conjuncts.contains { term in
      switch term {
      case .compare(let shape, let op, .value, []) where op == .equal || op.isOrdered:
        isGeneratedID(shape)
      case .among(let shape, _): isGeneratedID(shape)
      default: false
      }
    }
  }

  /// Returns the properties of an index that finds the objects of a condition without the table.
  ///
  /// The result is empty if the objects are sorted or found by several indexes.
  func properties(thatFind condition: ResolvedCondition?) -> [String] {
    guard order.isEmpty, let condition else { return [] }
    if case .or = condition { return [] }
    return columns(for: condition, order: [], readsTable: false)
      .map { description.properties[$0].name }
  }

  /// Returns a covering index for a statement, or `nil` if none is suitable or the class has it.
  ///
  /// - Parameters:
  ///   - found: The properties by which the index finds the objects.
  ///   - columns: The columns that the statement reads, in lower case.
  /// - Returns: The suggested index.
  func covering(_ found: [String], reading columns: Set<String>) -> IndexSuggestion? {
    guard !found.isEmpty else { return nil }
    let properties = description.properties
    let read = properties.filter { columns.contains($0.column.asciiLowercased) }
    let rest = read.filter { !found.contains($0.name) }
    // Every index contains the object ID.
    let objectID = description.objectIDPositions.map { description.rowColumns[$0] }
    let known = (read.map(\.column) + objectID).map(\.asciiLowercased)
    guard columns.isSubset(of: known + [Schema.rowNumber]),
      found.count + rest.count <= Self.mostCovered,
      rest.allSatisfy({ $0.type.isShort && $0.sealing == nil })
    else { return nil }
    let names = found + rest.map(\.name)
    return isServed(names) ? nil : IndexSuggestion(names, of: description)
  }

  /// With more columns, the index would be a second table.
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

  /// The columns of the order if an index can provide it.
  ///
  /// All keys must have the direction of the tie-breaking insertion order, without text options and
  /// with nil in the default position.
  private var servedOrder: [Int] {
    let isServed = order.allSatisfy { key in
      isIndexable(key.value) && key.options.isEmpty && key.isAscending != reversesTies
        && (key.isNilFirst ?? key.isAscending) == key.isAscending
    }
    return isServed ? order.map(\.value.position) : []
  }

  /// Returns the positions of the index columns for a condition and an order.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - order: The columns of the order.
  ///   - readsTable: Whether the query reads the table row of each index entry.
  /// - Returns: The positions of the columns; empty if no index helps.
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
      case .compare(let shape, let op, .shape(let other), []) where op.isOrdered && other.isNow:
        addBounds(1, of: shape)
      case .text(let search) where search.op == .beginsWith && search.options.isEmpty:
        if case .shape(let shape) = search.subject, case .value = search.pattern {
          addBounds(2, of: shape)
        }
      default: break
      }
    }
    // A single bound matches so many rows that SQLite prefers to read all rows in insertion order
    // to sorting those.
    let isSorted = !self.order.isEmpty
    let isOrdered = !order.isEmpty && isLimited && !bounds.isEmpty
    if isOrdered {
      let first = equal + order.filter { !equal.contains($0) }
      let compared = bounds.filter {
        !first.contains($0) && description.properties[$0].type.isShort
      }
      let all = first + compared.withoutRepetitions
      if all.count <= Self.mostCovered { return all }
    }
    let range = bounds.first { column in
      !equal.contains(column)
        && (!readsTable || isSorted || !equal.isEmpty || bounds.filter { $0 == column }.count > 1)
    }
    return equal + (range.map { [$0] } ?? order.filter { !equal.contains($0) })
  }

  private func isIndexable(_ shape: ValueShape) -> Bool {
    // Decimals use a collation that no index has, because other programs lack it.
    // A sealed property has no index, or its own.
    shape.isColumn && shape.origin == .object && shape.type != .decimal && shape.sealed == nil
      && shape.position < description.properties.count && !collated.contains(shape.position)
  }

  /// Returns whether the columns are a prefix of the object ID, a reference or an index of the
  /// class.
  private func isServed(_ names: [String]) -> Bool {
    let present =
      description.indexes.map(\.properties) + description.references.map(\.properties)
      + [description.objectIDPositions.map { description.rowNames[$0] }]
    return present.contains { $0.starts(with: names) }
  }
}

extension PropertyType {
  /// Whether all values of the type are short enough to be stored in a covering index.
  fileprivate var isShort: Bool {
    switch self {
    case .string, .data, .url, .decimal, .json: false
    default: true
    }
  }
}

extension [Int] {
  /// The numbers without those that occur before.
  fileprivate var withoutRepetitions: [Int] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
