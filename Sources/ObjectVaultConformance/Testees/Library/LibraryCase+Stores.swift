import ObjectVaultCore

extension LibraryCase {
  /// The store of the class on the handle that the arguments name, made at its first use, or of the
  /// partition that they name.
  func store(_ arguments: RequestArguments) throws -> LibraryStore {
    guard case .object(let values)? = arguments["partition"] else {
      return try wholeStore(arguments)
    }
    return try values.reduce(wholeStore(arguments)) { try $0.partition($1.name, is: $1.value) }
  }

  private func wholeStore(_ arguments: RequestArguments) throws -> LibraryStore {
    let handle = try handle(arguments)
    let label = try arguments.requiredText("class")
    if let store = handle.stores[label] { return store }
    let store = try LibraryStore(try handle.vault.store(of: description(arguments)))
    handle.stores[label] = store
    return store
  }

  func makeStore(_ arguments: RequestArguments) throws -> FixtureValue? {
    let handle = try handle(arguments)
    let store: ObjectStore<DynamicObject>
    switch try arguments.text("from") {
    case nil, "fixture": store = try handle.vault.store(of: description(arguments))
    case "file": store = try storeInFile(arguments, of: handle.vault)
    case let word?: throw RequestProblem("'from' is 'fixture' or 'file', not '\(word)'.")
    }
    handle.stores[try arguments.requiredText("class")] = try LibraryStore(store)
    return nil
  }

  /// The store as the file describes it. A table that another program made has no class's name, and
  /// what the case does not declare goes by its own.
  private func storeInFile(
    _ arguments: RequestArguments, of vault: Vault
  ) throws -> ObjectStore<DynamicObject> {
    guard let declared = try declared(arguments) else {
      return try vault.store(named: arguments.requiredText("class"))
    }
    do {
      return try vault.store(named: declared.name)
    } catch let error as VaultError
      where error.code == .noSuchClass && declared.table != declared.name
    {
      return try vault.store(named: declared.table)
    }
  }

  func removeStore(_ arguments: RequestArguments) throws -> FixtureValue? {
    // Stores made before stay in use: that they are invalid is what a case may look at.
    let name = try declared(arguments)?.table ?? arguments.requiredText("class")
    try handle(arguments).vault.removeStore(named: name)
    return nil
  }
}
