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
}
