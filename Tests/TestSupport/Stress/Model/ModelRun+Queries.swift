internal import ObjectVaultCore

extension ModelRun {
  func query() throws {
    let key = random.pick(ModelEdition.dynamicKeys + ["Shelf", "Book"])
    let condition = ModelCondition.random(on: key, in: state, &random)
    let selected = state.rows(key).filter { condition.holds(state, $0) }
    let sort = random.oneIn(2) ? random.pick(state.type(key).properties).name : nil
    let isAscending = Bool.random(using: &random)
    let offset = random.oneIn(3) ? Int.random(in: 0...5, using: &random) : 0
    let length = random.oneIn(3) ? Int.random(in: 0...8, using: &random) : nil
    note(
      "query",
      "\(key) \(condition.format) \(condition.arguments) by \(sort ?? "") \(isAscending) from "
        + "\(offset) \(length.map { "\($0)" } ?? "")")
    var expected = selected
    if let sort { expected = Self.sorted(expected, by: sort, isAscending) }
    expected = Array(expected.dropFirst(offset).prefix(length ?? .max))
    let ids = expected.map(\.id)
    let handle = handle
    func check<T>(_ store: ObjectStore<T>) throws {
      var query = store.where(condition.format, arguments: condition.arguments)
      try expect(query.count(), selected.count, "the count")
      if let sort { query = query.sorted(by: Sort(property: sort, isAscending: isAscending)) }
      query = query.range(offset: offset, length: length)
      func id(_ object: T) throws -> StoredValue? { try object.storedObjectID?.objectIDParts.first }
      try expect(query.all().map { try id($0) }, ids, "the objects")
      try expect(query.first().flatMap { try id($0) }, ids.first, "the first object")
      try expect(query.exists(), !ids.isEmpty, "whether there is one")
      var walked: [StoredValue?] = []
      try query.forEach { walked.append(try id($0)) }
      try expect(walked, ids, "the objects one by one")
    }
    switch key {
    case "Shelf": try check(handle.shelves)
    case "Book": try check(handle.books)
    default: try check(handle.stores[key]!)
    }
  }

  /// Returns the objects sorted by a property.
  ///
  /// The sort is stable.
  private static func sorted(
    _ rows: [ModelRow], by name: String, _ isAscending: Bool
  ) -> [ModelRow] {
    func isLess(_ a: StoredValue, _ b: StoredValue) -> Bool {
      switch (a, b) {
      case (.null, .null): false
      case (.null, _): true
      case (.integer(let a), .integer(let b)): a < b
      case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
      default: false
      }
    }
    return rows.enumerated().sorted { first, second in
      let (a, b) = (first.element[name], second.element[name])
      if isLess(a, b) { return isAscending }
      if isLess(b, a) { return !isAscending }
      return first.offset < second.offset
    }.map(\.element)
  }

  func search() throws {
    let search = ModelText.search(&random)
    let key = random.oneIn(2) ? "Book" : "Node"
    let properties = state.type(key).search
    guard !properties.isEmpty else { return }
    let property = random.oneIn(3) ? random.pick(properties) : nil
    note("search", "\(key) \(search.text) in \(property ?? "all")")
    let expected = state.rows(key).filter { row in
      search.finds(
        (property.map { [$0] } ?? properties).compactMap {
          if case .text(let text) = row[$0] { text } else { nil }
        })
    }.map(\.id)
    let handle = handle
    func check<T>(_ store: ObjectStore<T>) throws {
      let query = store.search(search.text, in: property)
      let found = try query.all().map { try $0.storedObjectID?.objectIDParts.first }
      try expect(found, expected, "the objects found")
      try expect(query.count(), expected.count, "the count")
      if random.oneIn(4) {
        let ranked = try query.matches().map { try $0.object.storedObjectID?.objectIDParts.first }
        try expect(Set(ranked), Set(expected), "the matches")
      }
    }
    if key == "Book" { try check(handle.books) } else { try check(handle.stores[key]!) }
  }

  func find() throws {
    let key = random.pick(ModelEdition.dynamicKeys)
    let id = state.rows(key).randomElement(using: &random)?.id ?? strangeID(key)
    note("find", "\(key) \(id)")
    let store = handle.stores[key]!
    let object = try store.find(DynamicObjectID(id))
    try expect(object.map { try self.id(of: $0) }, state.row(key, id)?.id, "the object")
    try expect(
      store.contains(id: DynamicObjectID(id)), state.row(key, id) != nil, "whether it is there")
  }
}
