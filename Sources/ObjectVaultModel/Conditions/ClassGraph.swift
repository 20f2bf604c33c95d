/// The classes of a file by table, for resolving paths in conditions.
package struct ClassGraph: Sendable {
  /// The classes by table name in lower case; names that differ only in the case of A-Z name the
  /// same table.
  private var classes: [String: ClassDescription] = [:]

  /// Creates a graph of the classes that a file describes.
  package init(_ descriptions: [ClassDescription]) {
    for description in descriptions { classes[description.table.asciiLowercased] = description }
  }

  /// Returns the class that is stored in a table.
  package subscript(table: String) -> ClassDescription? { classes[table.asciiLowercased] }

  /// Returns a copy of the graph with the description of one class replaced.
  package func with(_ description: ClassDescription) -> ClassGraph {
    var graph = self
    graph.classes[description.table.asciiLowercased] = description
    return graph
  }
}
