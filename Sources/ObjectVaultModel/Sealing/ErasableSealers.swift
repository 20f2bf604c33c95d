package import ObjectVaultCondition
package import ObjectVaultDriver

/// The encryptions of one row under erasable keys, each of which is looked up once.
package struct ErasableSealers {
  private let sealer: any ValueSealer
  private let making: Bool
  private var last: (name: String, sealer: (any ValueSealer)?)?

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - sealer: The keys of the vault.
  ///   - making: Whether missing keys are made.
  package init(_ sealer: any ValueSealer, making: Bool) {
    self.sealer = sealer
    self.making = making
  }

  /// Returns the encryption under the key that a value names; `nil` if the key was destroyed.
  ///
  /// - Throws: The errors of the sealer; `.damaged` if the value cannot be a name.
  package mutating func sealer(
    _ value: BoundValue, _ column: SealedColumn
  ) throws -> (any ValueSealer)? {
    guard let name = ErasableKeyName.text(of: value) else {
      throw VaultError(
        .damaged,
        "The row of a sealed value in column '\(column.column)' of table '\(column.table)' has no name "
          + "of a key. Another program wrote it. Set the object again through a store.")
    }
    // Names are equal if their bytes are, and not if they only look the same.
    if let last, last.name.hasSameBytes(as: name) { return last.sealer }
    let made = try sealer.erasable(name, in: column, making: making)
    last = (name, made)
    return made
  }

  /// Returns the encryption of a value in a row: that under the key that the row names, or that of
  /// the vault.
  ///
  /// - Parameters:
  ///   - name: The stored name of the key; `nil` if the property has no key of its own.
  ///   - column: The column of the value.
  /// - Returns: The encryption; `nil` if the key was destroyed.
  /// - Throws: The errors of ``sealer(_:_:)``.
  package mutating func sealer(
    naming name: StoredValue?, in column: SealedColumn
  ) throws -> (any ValueSealer)? {
    guard let name else { return sealer }
    return try sealer(BoundValue(name), column)
  }
}

extension ClassDescription {
  /// Returns the bytes of the parts of an object ID, to which sealed values are bound.
  ///
  /// - Parameter parts: The parts as they are stored.
  /// - Returns: The bytes of each part.
  package func sealedParts(ofID parts: [StoredValue]) -> [[UInt8]] {
    zip(objectIDPositions, parts).map { position, part in
      SealedEncoding.bytes(of: rowType(at: position).restored(part))
    }
  }
}
