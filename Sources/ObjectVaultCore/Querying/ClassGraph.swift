/// The classes of a file by their tables: what paths of conditions go through.
struct ClassGraph: Sendable {
  /// Under the tables' names in lower case: names that differ in the case of A-Z only are one table.
  private var classes: [String: ClassDescription] = [:]

  /// The classes that a file describes.
  init(_ descriptions: [ClassDescription]) {
    for description in descriptions { classes[description.table.asciiLowercased] = description }
  }

  /// The class kept in a table.
  subscript(table: String) -> ClassDescription? { classes[table.asciiLowercased] }

  /// The same graph in which a class is as its store knows it.
  func with(_ description: ClassDescription) -> ClassGraph {
    var graph = self
    graph.classes[description.table.asciiLowercased] = description
    return graph
  }
}
