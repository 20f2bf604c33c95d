import ObjectVaultCore

extension LibraryCase {
  /// The store of the class on the handle that the arguments name, made at its first use.
  func store(_ arguments: RequestArguments) throws -> LibraryStore {
    let handle = try handle(arguments)
    let label = try arguments.requiredText("class")
    if let store = handle.stores[label] { return store }
    let store = try LibraryStore(try handle.vault.store(of: description(arguments)))
    handle.stores[label] = store
    return store
  }

  func makeStore(_ arguments: RequestArguments) throws -> FixtureValue? {
    let handle = try handle(arguments)
    let description = try description(arguments)
    let store: ObjectStore<DynamicObject>
    switch try arguments.text("from") {
    case nil, "fixture": store = try handle.vault.store(of: description)
    case "file": store = try Self.storeInFile(description, of: handle.vault)
    case let word?: throw RequestProblem("'from' is 'fixture' or 'file', not '\(word)'.")
    }
    handle.stores[try arguments.requiredText("class")] = try LibraryStore(store)
    return nil
  }

  /// The store as the file describes it. A table that another program made has no class's name.
  private static func storeInFile(
    _ description: ClassDescription, of vault: Vault
  ) throws -> ObjectStore<DynamicObject> {
    do {
      return try vault.store(named: description.name)
    } catch let error as VaultError
      where error.code == .noSuchClass && description.table != description.name
    {
      return try vault.store(named: description.table)
    }
  }

  func removeStore(_ arguments: RequestArguments) throws -> FixtureValue? {
    // Stores made before stay in use: that they are invalid is what a case may look at.
    try handle(arguments).vault.removeStore(named: description(arguments).table)
    return nil
  }
}
