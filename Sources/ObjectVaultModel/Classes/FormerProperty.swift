package import ObjectVaultCondition

/// A property that a column of a class's table had when the class was last described.
///
/// The property belongs to the class as the file describes it, or it was removed from the class and
/// its column remains in the table.
package struct FormerProperty: Sendable, Hashable {
  /// The property. Its ``Sealing/keyProperty`` is the column that names the erasable key.
  package var property: PropertyDescription
  /// The table of the class when the values were sealed, which they are bound to.
  package var table: String
  /// The column of the property when the values were sealed, which they are bound to.
  package var column: String
  /// The parts of references that the property had when it was removed.
  package var references: [FormerReference] = []

  /// Creates a former property.
  ///
  /// - Parameters:
  ///   - property: The property with the present name of its column.
  ///   - table: The table that sealed values are bound to.
  ///   - column: The column that sealed values are bound to; `nil` for the present one.
  package init(_ property: PropertyDescription, table: String, column: String? = nil) {
    self.property = property
    self.table = table
    self.column = column ?? property.column
  }

  /// The column of sealed values; `nil` if they are not sealed.
  package var sealedColumn: SealedColumn? {
    property.sealing.map {
      SealedColumn(
        table: table, column: column, isFindable: $0.isFindable,
        isErasable: $0.keyProperty != nil)
    }
  }
}

/// A part of a reference that a removed property had, and whose values are still in its column.
package struct FormerReference: Sendable, Hashable {
  /// The table of the referenced class.
  package var target: String
  /// The column of that table with the same values; `nil` if it got others since.
  package var column: String?

  /// Creates a part of a reference.
  package init(target: String, column: String?) {
    self.target = target
    self.column = column
  }
}

extension ClassDescription {
  /// The properties of the class, as they are compared with those of a later class.
  package var formerProperties: [FormerProperty] {
    properties.indices.map { position in
      var property = properties[position]
      if let key = keyPosition(of: position) {
        property.sealing = Sealing.by(properties[key].column)
      }
      return FormerProperty(property, table: table)
    }
  }
}
