public import ObjectVaultEngine

// As for reading: one name, settled when the class is compiled.
extension Binder {
  /// Binds a property of a storable type.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the file could not keep the value.
  @inlinable
  public func bind<T: StorableValue>(_ value: T, at position: Int) throws {
    if isUnwanted(position) { return }
    try value.bind(to: self, at: position)
  }

  /// Binds a property that is kept as its raw value.
  @inlinable
  public func bind<T: RawRepresentable>(_ value: T, at position: Int) throws
  where T.RawValue: StorableValue {
    if isUnwanted(position) { return }
    try value.rawValue.bind(to: self, at: position)
  }

  /// Binds an optional property that is kept as its raw value.
  @inlinable
  public func bind<T: RawRepresentable>(_ value: T?, at position: Int) throws
  where T.RawValue: StorableValue {
    if isUnwanted(position) { return }
    try (value?.rawValue).bind(to: self, at: position)
  }

  /// Binds a property of a storable type that has raw values too.
  @inlinable
  public func bind<T: StorableValue & RawRepresentable>(_ value: T, at position: Int) throws
  where T.RawValue: StorableValue {
    if isUnwanted(position) { return }
    try value.bind(to: self, at: position)
  }

  /// Binds an optional property of a storable type that has raw values too.
  @inlinable
  public func bind<T: StorableValue & RawRepresentable>(_ value: T?, at position: Int) throws
  where T.RawValue: StorableValue {
    if isUnwanted(position) { return }
    try value.bind(to: self, at: position)
  }
}
