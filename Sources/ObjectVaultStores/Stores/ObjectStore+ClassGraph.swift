import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension StoreAccess {
  /// Returns the classes of the file, for conditions with paths across associations.
  ///
  /// The result is cached until this process creates or removes a table.
  func classGraph() throws -> ClassGraph {
    let opened = try database.opened()
    // A rollback can remove classes that a transaction created, and a read scope sees the classes
    // of its beginning.
    if opened.sessions.isInScope { return try readClassGraph() }
    let generation = opened.classGeneration
    if let graph = table.keptGraph(generation) { return graph }
    let graph = try readClassGraph()
    table.keep(graph, generation)
    return graph
  }

  private func readClassGraph() throws -> ClassGraph {
    return ClassGraph(try read { try $0.classDescriptions() }).with(table.description)
  }
}
