import ObjectVaultCondition

extension ClassDescription {
  /// The indexes that the class declares, and those for its references.
  package var declaredIndexes: [IndexDescription] {
    indexes + referenceIndexes + sealedIndexes
  }

  /// The indexes for references that are no prefix of another index or of the object ID.
  ///
  /// Without an index, each removal of a target object would read the whole table.
  private var referenceIndexes: [IndexDescription] {
    var present = indexes.map(\.properties)
    if case .properties(let positions) = objectID {
      present.append(positions.map { properties[$0].name })
    }
    var added: [IndexDescription] = []
    for reference in references
    where !present.contains(where: { $0.starts(with: reference.properties) }) {
      added.append(IndexDescription(reference.properties))
      present.append(reference.properties)
    }
    return added
  }

  /// Returns the name of an index in the file, which is derived from its columns.
  package func name(of index: IndexDescription) -> String {
    // The index of a property that is sealed later has another name than its former one.
    let columns = index.properties.compactMap { name in
      properties.first { $0.name == name }.map { $0.column + ($0.sealing == nil ? "" : "_sealed") }
    }
    return Self.indexName(table: table, columns: columns, isUnique: index.isUnique)
  }

  /// Returns the name of the index over the given columns.
  package static func indexName(table: String, columns: [String], isUnique: Bool) -> String {
    "\(isUnique ? "ovu_" : "ov_")\(table)__\(columns.joined(separator: "_"))"
  }

  /// Returns the columns of the properties with the given names.
  package func columns(of names: [String]) -> [String] {
    names.compactMap { name in properties.first { $0.name == name }?.column }
  }
}
