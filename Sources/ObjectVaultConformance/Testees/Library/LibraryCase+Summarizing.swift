import ObjectVaultCondition
import ObjectVaultConformanceFormat
import ObjectVaultCore

extension LibraryCase {
  func performSummarizing(
    _ operation: FixtureOperation, _ arguments: RequestArguments, _ store: LibraryStore
  ) throws -> FixtureValue? {
    let query = try query(arguments, store)
    switch operation {
    case .distinct:
      let properties = try arguments.texts("properties") ?? []
      let rows = try query.distinctValues(of: properties)
      return .list(rows.map { store.value(of: $0, properties: properties) })
    case .page:
      let page = try query.page(
        number: arguments.requiredInteger("number"), size: arguments.requiredInteger("size"))
      return .object([
        .init("ids", .list(page.items.map(store.id(of:)))),
        .init("totalItems", .integer(Int64(page.totalItems))),
        .init("totalPages", .integer(Int64(page.totalPages))),
      ])
    default:
      let property = try arguments.requiredText("property")
      let aggregation: Aggregation =
        switch operation {
        case .min: .min(of: property, as: "value")
        case .max: .max(of: property, as: "value")
        case .sum: .sum(of: property, as: "value")
        default: .average(of: property, as: "value")
        }
      let row = try query.grouped(by: []).aggregating(aggregation).rows()[0]
      return store.value(of: row[0], ofKind: operation == .average ? nil : property)
    }
  }
}

extension LibraryStore {
  /// Returns the objectID of a stored object: one value, or a list of its parts.
  func id(of object: DynamicObject) -> FixtureValue {
    object.storedObjectID.map(value(of:)) ?? .null
  }

  /// Returns a value in the type of the property, or a number if `property` is `nil`.
  fileprivate func value(of value: StoredValue, ofKind property: String?) -> FixtureValue {
    let type = objects.classDescription.properties.first { $0.name == property }?.type
    if case .real = value, type?.family != .date { return FixtureValue(value, as: .double) }
    return FixtureValue(value, as: type ?? .int64)
  }
}
