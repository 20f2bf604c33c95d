import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultStores

extension SQLRow {
  /// Returns a `Decodable` value with members decoded from the columns of the same names.
  ///
  /// ```swift
  /// struct Report: Decodable { var name: String; var n: Int }
  /// let rows = try vault.rows("SELECT name, count(*) AS n FROM …")
  /// let reports = try rows.map { try $0.decode(Report.self) }
  /// ```
  ///
  /// Members of storable types, including dates, use the stored format of a class's properties.
  /// Other `Codable` members are decoded from canonical JSON. Columns without a member are ignored.
  ///
  /// - Throws: ``VaultError``: `.notLoaded` if a member has no column, `.invalidValue` if a
  ///   column's value is not valid for its member; any error of the type's initializer.
  public func decode<D: Decodable>(_ type: D.Type = D.self) throws -> D {
    do {
      // A single date, for example: its own `Decodable` implementation has a different epoch than
      // the file.
      if count == 1, type is any StorableValue.Type { return try decoded(type, at: 0) }
      return try D(from: SQLRowDecoder(row: self))
    } catch let error as DecodingError {
      if case .keyNotFound(let key, _) = error { throw columns.missing(key.stringValue) }
      // The error's debug description could contain a value.
      throw VaultError(
        .invalidValue,
        "The row is not a value of \(type). Name and type its columns like the members of the type."
      )
    }
  }

  /// Returns the value of a column in the stored format of a property of the type.
  fileprivate func decoded<T: Decodable>(_ type: T.Type, at position: Int) throws -> T {
    let value: Any
    if let storable = type as? any StorableValue.Type {
      value = try read(storable, at: position)
    } else if let raw = type as? any RawRepresentable.Type,
      let read = try read(anyRaw: raw, at: position)
    {
      value = read
    } else {
      return try read(json: type, at: position)
    }
    guard let value = value as? T else {
      throw VaultError(.internalError, "A reader returned a value of another type than \(type).")
    }
    return value
  }

  /// Returns the value of a column as a raw representable type, or `nil` for unstorable raw values.
  private func read<T: RawRepresentable>(anyRaw type: T.Type, at position: Int) throws -> Any? {
    guard let storable = T.RawValue.self as? any StorableValue.Type else { return nil }
    guard let raw = try read(storable, at: position) as? T.RawValue else { return nil }
    return try value(type, raw, at: position)
  }
}

/// A decoder of a row with the column names as keys.
private struct SQLRowDecoder: Decoder {
  let row: SQLRow
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(SQLRowMembers<Key>(row: row))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw VaultError(
      .invalidValue,
      "A row is decoded by the names of its columns, not as a list. Read its `values`.")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard row.count == 1 else {
      throw VaultError(
        .invalidValue,
        "A row of \(row.count) columns is not one value. Select one column, or decode a type with "
          + "a member for each.")
    }
    return SQLRowValue(row: row)
  }
}

private struct SQLRowMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: SQLRow
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.columnNames.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { row.columns.position(of: key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    row.values[try row.position(of: key.stringValue)].isNull
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try row.decoded(type, at: row.position(of: key.stringValue))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { throw nesting(key) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw nesting(key)
  }

  func superDecoder() -> any Decoder { SQLRowDecoder(row: row) }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw nesting(key) }

  private func nesting(_ key: Key) -> VaultError {
    VaultError(
      .invalidValue,
      "Column '\(key.stringValue)' contains one value, which cannot be decoded like this. Decode a "
        + "member of a `Codable` type, which is read from JSON.")
  }
}

private struct SQLRowValue: SingleValueDecodingContainer {
  let row: SQLRow
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { row.values[0].isNull }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try row.decoded(type, at: 0) }
}
