public import ObjectVaultDriver

// `Codable` values without a storable type are stored as canonical JSON. These overloads are
// disfavored, so that a type that is both storable and `Codable` uses its own column type.
extension Row {
  /// Returns a property that is stored as canonical JSON.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the column contains no JSON of the type.
  @_disfavoredOverload
  public func value<T: Codable>(at position: Int, as type: T.Type = T.self) throws -> T {
    guard let value = try composite(T.self, at: position) else {
      throw VaultError.wrongStorageClass(in: self, at: position, reading: T.self)
    }
    return value
  }

  /// Returns an optional property that is stored as canonical JSON.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the column contains no JSON of the type.
  @_disfavoredOverload
  public func value<T: Codable>(at position: Int, as type: T?.Type = T?.self) throws -> T? {
    try composite(T.self, at: position)
  }

  private func composite<T: Decodable>(_ type: T.Type, at position: Int) throws -> T? {
    guard let text = text(at: position) else { return nil }
    do {
      return try decodeCanonicalJSON(type, from: text)
    } catch var error as VaultError {
      error.message = "Column \(position): \(error.message)"
      throw error
    }
  }
}

extension Binder {
  /// Binds a property that is stored as canonical JSON.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if JSON can't represent the value.
  @_disfavoredOverload
  public func bind<T: Codable>(_ value: T, at position: Int) throws {
    if isUnwanted(position) { return }
    bind(text: try canonicalJSON(value), at: position)
  }

  /// Binds an optional property that is stored as canonical JSON, or NULL for `nil`.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if JSON can't represent the value.
  @_disfavoredOverload
  public func bind<T: Codable>(_ value: T?, at position: Int) throws {
    if isUnwanted(position) { return }
    guard let value else { return bindNull(at: position) }
    bind(text: try canonicalJSON(value), at: position)
  }
}
