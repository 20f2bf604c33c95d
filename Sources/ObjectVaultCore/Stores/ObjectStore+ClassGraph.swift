extension StoreAccess {
  /// The classes of the file, for conditions whose paths cross associations.
  ///
  /// What was read once is kept until this process makes or removes a table.
  func classGraph() throws -> ClassGraph {
    let file = try vault.file()
    // A transaction can have made classes that a rollback takes away again, and a read scope sees
    // those of its beginning.
    if file.isInScope { return try readClassGraph() }
    let generation = file.classGeneration
    if let graph = state.keptGraph(generation) { return graph }
    let graph = try readClassGraph()
    state.keep(graph, generation)
    return graph
  }

  private func readClassGraph() throws -> ClassGraph {
    let descriptions = try read { try SystemTables($0).descriptions() }
    return ClassGraph(descriptions).with(state.description)
  }
}
