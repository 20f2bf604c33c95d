package import ObjectVaultCondition
package import ObjectVaultDriver

/// The sealing of the rows of one class.
package struct RowSealing: Sendable {
  /// The sealed columns by their positions in a row.
  package let columns: [(position: Int, column: SealedColumn)]
  private let objectIDPositions: [Int]
  /// The number of columns of a row.
  package let width: Int

  /// Creates the sealing of a class; `nil` if it has no sealed property.
  package init?(_ description: ClassDescription) {
    guard description.hasSealed else { return nil }
    columns = description.properties.indices.compactMap { position in
      description.sealedColumn(position).map { (position, $0) }
    }
    objectIDPositions = description.objectIDPositions
    width = description.rowColumns.count
  }

  /// Seals the values of a row in place; NULL stays NULL.
  ///
  /// - Parameters:
  ///   - values: The values, with the object ID.
  ///   - positions: The positions of the written columns; `nil` for all of them.
  ///   - sealer: The keys.
  /// - Throws: The errors of the sealer; `.internalError` if the object ID is missing.
  package func seal(
    _ values: inout [BoundValue], only positions: [Int]? = nil, by sealer: any ValueSealer
  ) throws {
    let id = objectIDPositions.map { values[$0] }
    for (position, column) in columns where positions?.contains(position) ?? true {
      if values[position] == .null { continue }
      guard !id.contains(.null) else {
        throw VaultError(
          .internalError,
          "A sealed value of table '\(column.table)' was written without an object ID.")
      }
      values[position] = .blob(
        try sealer.sealed(
          SealedEncoding.bytes(of: values[position]), in: column,
          of: id.map { SealedEncoding.bytes(of: $0) }))
    }
  }

  /// Replaces the sealed values of a row by what a condition compares: the indexes of findable
  /// values, and NULL for hidden ones.
  ///
  /// - Parameters:
  ///   - values: The values.
  ///   - sealer: The keys.
  /// - Throws: The errors of the sealer.
  package func index(_ values: inout [BoundValue], by sealer: any ValueSealer) throws {
    for (position, column) in columns where values[position] != .null {
      values[position] =
        column.isFindable
        ? .blob(try sealer.index(of: SealedEncoding.bytes(of: values[position]), in: column))
        : .null
    }
  }

  /// Opens the values of a row in place; NULL stays NULL.
  ///
  /// - Parameters:
  ///   - values: The values of the row, with the object ID.
  ///   - sealer: The keys.
  /// - Throws: The errors of the sealer; `.damaged` if a column has no sealed value.
  package func open(_ values: inout [StoredValue], by sealer: any ValueSealer) throws {
    let id = objectIDPositions.map { SealedEncoding.bytes(of: values[$0]) }
    for (position, column) in columns {
      if values[position] == .null { continue }
      guard case .blob(let sealed) = values[position],
        let value = SealedEncoding.value(try sealer.opened(sealed, in: column, of: id))
      else { throw Self.unsealed(column) }
      values[position] = value
    }
  }

  private static func unsealed(_ column: SealedColumn) -> VaultError {
    VaultError(
      .damaged,
      "Column '\(column.column)' of table '\(column.table)' contains a value that is not sealed. "
        + "Another program wrote it. Set it again through a store.")
  }
}
