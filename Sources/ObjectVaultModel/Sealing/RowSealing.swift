package import ObjectVaultCondition
package import ObjectVaultDriver

/// The sealing of the rows of one class.
package struct RowSealing: Sendable {
  /// A sealed column of a row.
  package struct Column: Sendable {
    package let position: Int
    package let column: SealedColumn
    /// The position of the name of the erasable key; `nil` if none is needed.
    package let key: Int?
  }

  /// The sealed columns by their positions in a row.
  package let columns: [Column]
  private let objectIDPositions: [Int]
  /// The positions of doubles, which a column can store as integers.
  private let reals: Set<Int>
  /// The number of columns of a row.
  package let width: Int

  /// Creates the sealing of a class; `nil` if it has no sealed property.
  package init?(_ description: ClassDescription) {
    guard description.hasSealed else { return nil }
    columns = description.properties.indices.compactMap { position in
      description.sealedColumn(position).map {
        Column(position: position, column: $0, key: description.keyPosition(of: position))
      }
    }
    objectIDPositions = description.objectIDPositions
    reals = Set(
      description.properties.indices.filter {
        description.properties[$0].type.columnType == "REAL"
      })
    width = description.rowColumns.count
  }

  /// Returns a value of a row as its property has it: a double for an integer in its column.
  package func restored(_ value: BoundValue, at position: Int) -> BoundValue {
    guard case .integer(let number) = value, reals.contains(position),
      let real = Double(exactly: number)
    else { return value }
    return .real(real)
  }

  /// Returns whether an update must read the names of erasable keys from the stored row.
  ///
  /// - Parameter positions: The positions of the written columns.
  /// - Returns: Whether some values are written without the name of their key, or the reverse.
  package func needsNames(_ positions: [Int]) -> Bool {
    columns.contains { one in
      one.key.map { positions.contains($0) != positions.contains(one.position) } ?? false
    }
  }

  /// Returns positions and those of the names of the keys that their values need, in order.
  package func readPositions(for positions: [Int]) -> [Int] {
    let keys = columns.filter { positions.contains($0.position) }.compactMap(\.key)
    return Set(positions + keys).sorted()
  }

  /// Seals the values of a row in place; NULL stays NULL.
  ///
  /// - Parameters:
  ///   - values: The values, with the object ID.
  ///   - positions: The positions of the written columns; `nil` for all of them.
  ///   - sealer: The keys.
  /// - Throws: The errors of the sealer; `.keyDestroyed` if a value needs a destroyed key;
  ///   `.internalError` if the object ID is missing.
  package func seal(
    _ values: inout [BoundValue], only positions: [Int]? = nil, by sealer: any ValueSealer
  ) throws {
    let id = objectIDPositions.map { restored(values[$0], at: $0) }
    var erasable = ErasableSealers(sealer, making: true)
    for one in columns where positions?.contains(one.position) ?? true {
      let (position, column) = (one.position, one.column)
      if values[position] == .null { continue }
      guard !id.contains(.null) else {
        throw VaultError(
          .internalError,
          "A sealed value of table '\(column.table)' was written without an object ID.")
      }
      var own: (any ValueSealer)? = sealer
      if let key = one.key { own = try erasable.sealer(restored(values[key], at: key), column) }
      guard let own else { throw Self.destroyed(column) }
      values[position] = .blob(
        try own.sealed(
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
    for one in columns where values[one.position] != .null {
      let value = SealedEncoding.bytes(of: values[one.position])
      values[one.position] =
        one.column.isFindable ? .blob(try sealer.index(of: value, in: one.column)) : .null
    }
  }

  /// Opens the values of a row in place; NULL stays NULL, and values under a destroyed key become
  /// NULL.
  ///
  /// - Parameters:
  ///   - values: The values of the row, with the object ID.
  ///   - sealer: The keys.
  /// - Throws: The errors of the sealer; `.damaged` if a column has no sealed value.
  package func open(_ values: inout [StoredValue], by sealer: any ValueSealer) throws {
    let id = objectIDPositions.map {
      SealedEncoding.bytes(of: restored(BoundValue(values[$0]), at: $0))
    }
    var erasable = ErasableSealers(sealer, making: false)
    for one in columns {
      let (position, column) = (one.position, one.column)
      if values[position] == .null { continue }
      var own: (any ValueSealer)? = sealer
      if let key = one.key {
        own = try erasable.sealer(restored(BoundValue(values[key]), at: key), column)
      }
      guard let own else {
        values[position] = .null
        continue
      }
      guard case .blob(let sealed) = values[position],
        let value = SealedEncoding.value(try own.opened(sealed, in: column, of: id))
      else { throw Self.unsealed(column) }
      values[position] = value
    }
  }

  /// Returns the error for a value that needs a destroyed key.
  package static func destroyed(_ column: SealedColumn) -> VaultError {
    VaultError(
      .keyDestroyed,
      "The key for the value of column '\(column.column)' in table '\(column.table)' was destroyed, "
        + "so no value can be stored. Store nil, or name another key.")
  }

  private static func unsealed(_ column: SealedColumn) -> VaultError {
    VaultError(
      .damaged,
      "Column '\(column.column)' of table '\(column.table)' contains a value that is not sealed. "
        + "Another program wrote it. Set it again through a store.")
  }
}
