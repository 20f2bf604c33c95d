package import ObjectVaultCondition
package import ObjectVaultDriver

extension ClassDescription {
  /// Returns the type of the values that a column of a row stores.
  ///
  /// - Parameter position: A position in ``rowColumns``.
  /// - Returns: The type of the property or of generated object IDs; bytes for sealed values.
  package func rowType(at position: Int) -> PropertyType {
    guard properties.indices.contains(position) else { return .int64 }
    let property = properties[position]
    return property.sealing == nil ? property.type : .data
  }

  /// The columns of a row in reading order: the properties, then a generated ID.
  package var rowColumns: [String] {
    properties.map(\.column) + (objectID == .generated ? [Self.generatedIDColumn] : [])
  }

  /// The positions in ``rowColumns`` of the columns that form the object ID.
  package var objectIDPositions: [Int] {
    switch objectID {
    case .generated: [properties.count]
    case .properties(let positions): positions
    }
  }

  /// The numbers that the engine may generate for an object ID.
  package var generatedNumbers: ClosedRange<Int64> {
    guard case .properties(let positions) = objectID, objectIDIsRowID else { return .min ... .max }
    return properties[positions[0]].type.integerRange
  }

  /// Whether the object ID is the number of the row, which is generated if none is set.
  package var objectIDIsRowID: Bool {
    if options.isWithoutRowID { return false }
    return switch objectID {
    case .generated: true
    case .properties(let positions):
      positions.count == 1 && properties[positions[0]].type.family == .integer
    }
  }

  /// The properties in row order, followed by a generated object ID.
  package var exchanged: [PropertyDescription] {
    guard objectID == .generated else { return properties }
    let id = PropertyDescription(Self.generatedIDColumn, type: .int64, isOptional: true)
    return properties + [id]
  }

  /// Returns the error for a name that no property has.
  package func noSuchProperty(_ name: String) -> VaultError {
    let names = properties.map { "'\($0.name)'" }.joined(separator: ", ")
    return VaultError(
      .noSuchProperty, "Class '\(self.name)' has no property '\(name)'. Use \(names).")
  }
}
