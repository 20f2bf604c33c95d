internal import ObjectVaultCore

extension ModelRun {
  /// Returns the key of a random class that is described at run time.
  private func anyKey() -> String { random.pick(ModelEdition.dynamicKeys) }

  private func store(_ key: String) -> ObjectStore<DynamicObject> { handle.stores[key]! }

  /// Returns the objectID of a random object of the class, or occasionally one without an object.
  private func anyID(_ key: String) -> StoredValue {
    let rows = state.rows(key)
    return rows.isEmpty || random.oneIn(40) ? strangeID(key) : random.pick(rows).id
  }

  /// Returns an objectID that objects rarely have.
  func strangeID(_ key: String) -> StoredValue {
    state.type(key).idProperty == nil ? .integer(987_654_321) : .text("no one")
  }

  private func anyValue(_ property: ModelClass.Property, of key: String) -> StoredValue {
    if property.isOptional, random.oneIn(3) { return .null }
    switch (key, property.name) {
    case ("Node", "label"):
      if random.oneIn(20), let other = state.rows(key).last { return other["label"] }
      return .text("label \(Int.random(in: 0..<2000, using: &random))")
    case ("Node", "text"): return .text(ModelText.random(&random))
    case ("Node", "note"): return .text(random.pick(["none", "12", "sea"]))
    case ("Person", "name"):
      return .text("person \(Int.random(in: 0..<150, using: &random))")
    default:
      let number = Int64.random(in: 0...50, using: &random)
      guard property.type == .string else { return .integer(number) }
      return .text(random.oneIn(300) ? "no number" : String(number))
    }
  }

  private func anyReference(_ reference: ModelClass.Reference) -> StoredValue {
    if reference.isOptional, random.oneIn(3) { return .null }
    return anyID(reference.target)
  }

  private func anyValues(_ key: String) -> [String: StoredValue] {
    let type = state.type(key)
    var values: [String: StoredValue] = [:]
    for property in type.properties { values[property.name] = anyValue(property, of: key) }
    for reference in type.references { values[reference.name] = anyReference(reference) }
    return values
  }

  private func object(
    _ key: String, _ values: [String: StoredValue], id: StoredValue? = nil
  ) throws -> DynamicObject {
    var object = try DynamicObject(of: store(key).classDescription)
    for name in values.keys.sorted() { try object.set(name, to: values[name]!) }
    if let id { object.assignObjectID(DynamicObjectID(id)) }
    return object
  }

  /// Returns the objectID that an object has before its insertion.
  ///
  /// It is the object's name or occasionally a number, but usually `nil`.
  private func givenID(_ key: String, _ values: [String: StoredValue]) -> StoredValue? {
    if let property = state.type(key).idProperty { return values[property] }
    guard random.oneIn(12) else { return nil }
    if random.oneIn(3) { return anyID(key) }
    return .integer((state.greatest[key] ?? 0) + Int64.random(in: 1...30, using: &random))
  }

  // MARK: Inserting and saving

  func insert() throws {
    let key = anyKey()
    let values = anyValues(key)
    let given = givenID(key, values)
    let saves = random.oneIn(3)
    note(saves ? "save" : "insert", "\(key) \(given?.short ?? "") \(values.list)")
    let row = ModelRow(id: given ?? .integer(-1), values: values)
    let isThere = saves && state.row(key, row.id) != nil
    let codes = try refusal { state in
      if isThere { try state.update(key, row.id, values) } else { try state.insert(key, [row]) }
    }
    var object = try object(key, values, id: given)
    let store = store(key)
    guard
      try attempt(
        codes,
        {
          if saves {
            try store.save(assigningIDTo: &object)
          } else {
            try store.insert(assigningIDTo: &object)
          }
        })
    else { return }
    let id = try id(of: object)
    if given == nil { try checkIsNew(id, of: key) } else { try expect(id, row.id, "the objectID") }
    if isThere {
      try state.update(key, id, values)
    } else {
      try state.insert(key, [ModelRow(id: id, values: values)])
    }
  }

  func insertSeveral() throws {
    let key = anyKey()
    let new = (0..<Int.random(in: 0...5, using: &random)).map { _ in anyValues(key) }
    let property = state.type(key).idProperty
    note("insert several", "\(key) \(new.map(\.list))")
    func rows(_ ids: [StoredValue]) -> [ModelRow] {
      zip(ids, new).map { ModelRow(id: $0, values: $1) }
    }
    let placeholders = new.indices.map { index in
      property.map { new[index][$0]! } ?? .integer(Int64(-1 - index))
    }
    let codes = try refusal { try $0.insert(key, rows(placeholders)) }
    let objects = try new.map { try object(key, $0) }
    let store = store(key)
    var ids: [StoredValue] = []
    guard
      try attempt(
        codes, { ids = try store.insert(contentsOf: objects).map { $0.objectIDParts[0] } })
    else { return }
    if property == nil { for id in ids { try checkIsNew(id, of: key) } }
    try expect(ids.count, new.count, "the number of objectIDs")
    try state.insert(key, rows(ids))
  }

  /// Stores two objects that refer to each other, in a transaction that defers reference checks to
  /// its end.
  func circle() throws {
    guard depth == 0 else { return }
    let isComplete = !random.oneIn(4)
    note("circle", isComplete ? "" : "of which one object is missing")
    let (hen, egg) = ((state.greatest["Hen"] ?? 0) + 1, (state.greatest["Egg"] ?? 0) + 1)
    let hens = ModelRow(id: .integer(hen), values: ["age": .integer(1), "egg": .integer(egg)])
    let eggs = ModelRow(
      id: .integer(egg), values: ["age": .integer(2), "hen": .integer(hen), "rival": .integer(egg)])
    let handle = handle
    let succeeded = try attempt(isComplete ? [] : [.danglingReference]) {
      try handle.vault.transaction(deferringReferences: true) {
        try handle.stores["Hen"]!.insert(object("Hen", hens.values, id: hens.id))
        if isComplete { try handle.stores["Egg"]!.insert(object("Egg", eggs.values, id: eggs.id)) }
      }
    }
    guard succeeded else { return }
    // The model checks references immediately, so the egg gets its references last.
    try state.insert("Egg", [ModelRow(id: eggs.id, values: ["age": .integer(2)])])
    try state.insert("Hen", [hens])
    try state.update("Egg", eggs.id, eggs.values)
  }

  // MARK: Updating

  func update() throws {
    let key = anyKey()
    let id = anyID(key)
    var values = anyValues(key)
    if let property = state.type(key).idProperty { values[property] = id }
    let only = random.oneIn(3) ? changeable(key).first : nil
    note("update", "\(key) \(id.short) only \(only ?? "all") of \(values.list)")
    let written = only.map { [$0: values[$0]!] } ?? values
    let codes = try refusal { try $0.update(key, id, written) }
    let object = try object(key, values, id: id)
    let store = store(key)
    guard
      try attempt(
        codes,
        { if let only { try store.update(object, only: only) } else { try store.update(object) } })
    else { return }
    try state.update(key, id, written)
  }

  /// Returns the names of the values that an update can change, in random order.
  private func changeable(_ key: String) -> [String] {
    let type = state.type(key)
    return type.valueNames.filter { $0 != type.idProperty }.shuffled(using: &random)
  }

  func updateByQuery() throws {
    let key = anyKey()
    let condition = ModelCondition.random(on: key, in: state, &random)
    let name = changeable(key)[0]
    let type = state.type(key)
    let value =
      type.properties.first { $0.name == name }.map { anyValue($0, of: key) }
      ?? anyReference(type.reference(name)!)
    note(
      "update by query",
      "\(key) \(condition.format) \(condition.arguments) \(name) = \(value.short)")
    let ids = state.rows(key).filter { condition.holds(state, $0) }.map(\.id)
    func write(_ state: inout ModelState) throws {
      var codes: Set<VaultError.Code> = []
      for id in ids {
        do {
          try state.update(key, id, [name: value])
        } catch let refusal as ModelRefusal {
          codes.formUnion(refusal.codes)
        }
      }
      guard codes.isEmpty else { throw ModelRefusal(codes: codes) }
    }
    let codes = try refusal(write)
    let query = store(key).where(condition.format, arguments: condition.arguments)
    var count = 0
    guard try attempt(codes, { count = try query.update(set: [name: argument(value)]) })
    else { return }
    try expect(count, ids.count, "the number of updated objects")
    try write(&state)
  }

  private func argument(_ value: StoredValue) -> Any? {
    switch value {
    case .integer(let number): number
    case .text(let text): text
    default: nil
    }
  }

  func changeID() throws {
    let key = anyKey()
    let id = anyID(key)
    let new: StoredValue
    if random.oneIn(4) {
      new = anyID(key)
    } else if state.type(key).idProperty != nil {
      new = .text("person \(Int.random(in: 0..<150, using: &random))")
    } else {
      new = .integer((state.greatest[key] ?? 0) + Int64.random(in: 1...20, using: &random))
    }
    note("changeID", "\(key) \(id.short) to \(new.short)")
    let codes = try refusal { try $0.changeID(key, id, to: new) }
    let store = store(key)
    guard
      try attempt(codes, { try store.changeID(of: DynamicObjectID(id), to: DynamicObjectID(new)) })
    else { return }
    try state.changeID(key, id, to: new)
  }

  // MARK: Removing

  /// Returns the class for the next removal, and at most `limit` of its objectIDs.
  private func removed(_ limit: Int) -> (String, [StoredValue]) {
    let keys = ModelEdition.dynamicKeys + ModelEdition.ownedClasses.map(\.key)
    // Often chooses the class with the most objects, so that no table grows without limit.
    let key =
      random.oneIn(2)
      ? random.pick(keys) : keys.max { state.rows($0).count < state.rows($1).count }!
    let rows = state.rows(key).shuffled(using: &random)
    return (key, rows.prefix(limit).map(\.id))
  }

  func remove() throws {
    var (key, ids) = removed(Int.random(in: 1...3, using: &random))
    if random.oneIn(30), !ids.contains(strangeID(key)) { ids.append(strangeID(key)) }
    note("remove", "\(key) \(ids.map(\.short))")
    var codes = try refusal { try $0.remove(key, Set(ids)) }
    if ids.contains(where: { state.row(key, $0) == nil }) { codes.insert(.noSuchObject) }
    let handle = handle
    guard try attempt(codes, { try handle.remove(key, ids) }) else { return }
    try state.remove(key, Set(ids))
  }

  func removeByQuery() throws {
    let key = anyKey()
    let condition = ModelCondition.random(on: key, in: state, &random)
    let ids = state.rows(key).filter { condition.holds(state, $0) }.map(\.id)
    // Large removals are rare, so that there are enough objects to remove.
    guard ids.count < 15 || random.oneIn(10) else { return }
    note("remove by query", "\(key) \(condition.format) \(condition.arguments)")
    let codes = try refusal { try $0.remove(key, Set(ids)) }
    let query = store(key).where(condition.format, arguments: condition.arguments)
    var count = 0
    guard try attempt(codes, { count = try query.remove() }) else { return }
    try expect(count, ids.count, "the number of removed objects")
    try state.remove(key, Set(ids))
  }

  func plan() throws {
    let (key, ids) = removed(Int.random(in: 1...4, using: &random))
    note("plan", "\(key) \(ids.map(\.short))")
    let plan = try handle.plan(key, ids)
    let expected = state.removal(key, Set(ids))
    for (other, type) in state.classes {
      let entry = plan.entries.first { $0.table == type.name }
      try expect(entry?.removed ?? 0, expected.gone[other]?.count ?? 0, "removed of \(other)")
      try expect(entry?.nullified ?? 0, expected.nullified[other] ?? 0, "nullified of \(other)")
      try expect(entry?.denying ?? 0, expected.denying[other] ?? 0, "denying of \(other)")
    }
    try expect(plan.isAllowed, expected.refusals.isEmpty, "whether it is allowed")
  }
}

extension ModelHandle {
  /// Removes objects of any class, several of them with one call.
  func remove(_ key: String, _ ids: [StoredValue]) throws {
    func remove<T>(_ store: ObjectStore<T>, _ ids: [T.ObjectIDType]) throws {
      if ids.count == 1 { try store.remove(id: ids[0]) } else { try store.remove(ids: ids) }
    }
    switch key {
    case "Shelf": try remove(shelves, Self.texts(ids))
    case "Book": try remove(books, Self.numbers(ids))
    case "Chapter": try remove(chapters, Self.numbers(ids))
    case "Cover": try remove(covers, Self.numbers(ids))
    default: try remove(stores[key]!, ids.map { DynamicObjectID($0) })
    }
  }

  func plan(_ key: String, _ ids: [StoredValue]) throws -> DeletionPlan {
    switch key {
    case "Shelf": try shelves.deletionPlan(ids: Self.texts(ids))
    case "Book": try books.deletionPlan(ids: Self.numbers(ids))
    case "Chapter": try chapters.deletionPlan(ids: Self.numbers(ids))
    case "Cover": try covers.deletionPlan(ids: Self.numbers(ids))
    default: try stores[key]!.deletionPlan(ids: ids.map { DynamicObjectID($0) })
    }
  }

  private static func numbers(_ ids: [StoredValue]) -> [Int64] {
    ids.compactMap { if case .integer(let number) = $0 { number } else { nil } }
  }

  private static func texts(_ ids: [StoredValue]) -> [String] {
    ids.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }
}
