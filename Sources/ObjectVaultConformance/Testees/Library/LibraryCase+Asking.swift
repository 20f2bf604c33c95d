import ObjectVaultConformanceFormat
import ObjectVaultCore

extension LibraryCase {
  func performFinding(
    _ operation: FixtureOperation, _ arguments: RequestArguments, _ store: LibraryStore
  ) throws -> FixtureValue? {
    switch operation {
    case .find:
      let found = try store.objects.find(store.id(arguments.required("id")))
      return found.map(store.value(of:)) ?? .null
    case .findMany:
      return store.value(of: try store.objects.find(ids: store.ids(arguments.requiredList("ids"))))
    default:
      return .bool(try store.objects.contains(id: store.id(arguments.required("id"))))
    }
  }

  func performAsking(
    _ operation: FixtureOperation, _ arguments: RequestArguments, _ store: LibraryStore
  ) throws -> FixtureValue? {
    let answer = try answer(operation, arguments, store)
    guard try arguments.text("where") != nil else { return answer }
    // The condition cache prepares the form of a condition on its second use and applies it
    // afterwards.
    for _ in 0..<2 {
      guard try self.answer(operation, arguments, store) == answer else {
        throw RequestProblem("The condition returns another result when it is queried again.")
      }
    }
    return answer
  }

  private func answer(
    _ operation: FixtureOperation, _ arguments: RequestArguments, _ store: LibraryStore
  ) throws -> FixtureValue? {
    let query = try query(arguments, store)
    switch operation {
    case .query: return store.value(of: try query.all())
    case .ids:
      let rows = try query.values(of: store.idProperties)
      return .list(rows.map(store.value(ofIDParts:)))
    case .first: return try query.first().map(store.value(of:)) ?? .null
    case .count: return .integer(Int64(try query.count()))
    case .exists: return .bool(try query.exists())
    default:
      let properties = try arguments.texts("properties") ?? []
      let rows = try query.values(of: properties)
      return .list(rows.map { store.value(of: $0, properties: properties) })
    }
  }

  /// Returns the query that the arguments describe.
  func query(_ arguments: RequestArguments, _ store: LibraryStore) throws -> Query<DynamicObject> {
    var query = store.objects.query
    if try arguments.text("where") != nil {
      query = try query.where(condition: arguments)
    } else if arguments["arguments"] != nil || arguments["named"] != nil {
      throw RequestProblem("There are arguments without a condition. Add 'where'.")
    }
    for condition in try arguments.list("and") {
      query = try query.where(condition: RequestArguments(condition))
    }
    if let sorts = try arguments.texts("sort") {
      query = query.sorted(by: sorts.map { Sort(spelling: $0) })
    }
    let offset = try arguments.integer("offset")
    let length = try arguments.integer("length")
    if offset == nil, length == nil { return query }
    return query.range(offset: offset ?? 0, length: length)
  }
}

extension Query {
  /// Returns a query that also requires a condition with its arguments.
  fileprivate func `where`(condition: RequestArguments) throws -> Query {
    var named: [String: Any?] = [:]
    if case .object(let members)? = condition["named"] {
      for member in members { named.updateValue(try member.value.argument, forKey: member.name) }
    }
    return try `where`(
      condition.requiredText("where"),
      arguments: condition.list("arguments").map { try $0.argument }, named: named)
  }
}
