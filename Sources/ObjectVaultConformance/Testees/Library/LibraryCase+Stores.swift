import ObjectVaultConformanceFormat
import ObjectVaultCore

extension LibraryCase {
  /// Returns the store for the class, handle and partition in the arguments.
  ///
  /// The store of the class is created on first use.
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
    let store = try LibraryStore(try handle.database.store(of: description(arguments)))
    handle.stores[label] = store
    return store
  }

  func makeStore(_ arguments: RequestArguments) throws -> FixtureValue? {
    let handle = try handle(arguments)
    let store: ObjectStore<DynamicObject>
    switch try arguments.text("from") {
    case nil, "fixture": store = try handle.database.store(of: description(arguments))
    case "file": store = try storeInFile(arguments, of: handle.database)
    case let word?: throw RequestProblem("'from' must be 'fixture' or 'file', not '\(word)'.")
    }
    handle.stores[try arguments.requiredText("class")] = try LibraryStore(store)
    return nil
  }

  /// Returns the store as the file describes it.
  ///
  /// A table of another program has no class name and is found by its table name. A class that the
  /// case does not declare is found by the given name.
  private func storeInFile(
    _ arguments: RequestArguments, of vault: any Database
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
    // Existing stores stay in use: cases can test that they are invalid.
    let name = try declared(arguments)?.table ?? arguments.requiredText("class")
    try handle(arguments).database.removeStore(named: name)
    return nil
  }
}
