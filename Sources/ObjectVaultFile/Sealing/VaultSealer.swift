package import ObjectVaultCondition
import ObjectVaultDriver
package import ObjectVaultKeys
package import ObjectVaultModel

/// The encryption of the sealed values of a database.
package struct VaultSealer: ValueSealer {
  private let cipher: SealingCipher
  private let path: String
  private let erasableKeys: ErasableKeys?

  /// Creates the encryption with the keys of a database.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - erasableKeys: The keys of values that also need an erasable key, if any.
  ///   - path: The path or address of the database, for errors.
  /// - Throws: `VaultError` if the cryptographic library fails.
  package init(_ keys: SealingKeys, erasableKeys: ErasableKeys? = nil, path: String) throws {
    self.path = path
    self.erasableKeys = erasableKeys
    do throws(KeyError) {
      cipher = try SealingCipher(keys)
    } catch {
      throw VaultError(error, path: path)
    }
  }

  private init(_ sealer: VaultSealer, _ cipher: SealingCipher) {
    self.cipher = cipher
    path = sealer.path
    erasableKeys = sealer.erasableKeys
  }

  package func codes() throws -> [(number: UInt32, code: String)] {
    try describing { () throws(KeyError) in
      try cipher.codes().map { ($0.number, SQL.hexadecimal($0.code)) }
    }
  }

  package func sealed(
    _ value: [UInt8], in column: SealedColumn, of objectID: [[UInt8]]
  ) throws -> [UInt8] {
    try describing { () throws(KeyError) in
      let index = try column.isFindable ? index(value, column) : nil
      return try cipher.sealed(value, at: Self.place(column, objectID), index: index)
    }
  }

  package func opened(
    _ sealed: [UInt8], in column: SealedColumn, of objectID: [[UInt8]]
  ) throws -> [UInt8] {
    try describing { () throws(KeyError) in
      try cipher.opened(
        sealed, at: Self.place(column, objectID), isFindable: column.isFindable)
    }
  }

  package func index(of value: [UInt8], in column: SealedColumn) throws -> [UInt8] {
    try describing { () throws(KeyError) in try index(value, column) }
  }

  package func erasableKeysID() throws -> String { try store.id() }

  package func erasable(
    _ name: String, in column: SealedColumn, making: Bool
  ) throws -> (any ValueSealer)? {
    switch try making ? store.madeKey(name) : store.key(name) {
    case .present(let key): return erasable(by: key)
    case .destroyed: return nil
    case .missing:
      throw VaultError(
        .wrongKey,
        "Column '\(column.column)' of table '\(column.table)' contains a value whose erasable key is "
          + "missing in '\(try store.path)'. Restore the newest backup of that file.")
    }
  }

  /// Returns the encryption of the values that also need an erasable key.
  package func erasable(by key: SharedSecret) -> VaultSealer {
    VaultSealer(self, cipher.erasable(by: key))
  }

  private var store: ErasableKeys {
    get throws {
      if let erasableKeys { return erasableKeys }
      throw VaultError(
        .noKey,
        "'\(path)' has a class with values that need erasable keys. Set `erasableKeys` in the "
          + "configuration of the database.")
    }
  }

  private func index(_ value: [UInt8], _ column: SealedColumn) throws(KeyError) -> [UInt8] {
    try cipher.index(of: value, table: column.table, column: column.column)
  }

  private static func place(_ column: SealedColumn, _ objectID: [[UInt8]]) -> SealedPlace {
    SealedPlace(table: column.table, column: column.column, objectID: objectID)
  }

  private func describing<R>(_ body: () throws(KeyError) -> R) throws -> R {
    do throws(KeyError) {
      return try body()
    } catch {
      throw VaultError(error, path: path)
    }
  }
}
