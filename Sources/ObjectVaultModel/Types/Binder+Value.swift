public import ObjectVaultDriver

// The overloads have one name, as for reading, and are selected at compile time.
extension Binder {
  /// Binds a property of a storable type.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the value can't be stored.
  @inlinable
  public func bind<T: StorableValue>(_ value: T, at position: Int) throws {
    if isUnwanted(position) { return }
    try value.bind(to: self, at: position)
  }

  /// Binds a property that is stored as its raw value.
  @inlinable
  public func bind<T: RawRepresentable>(_ value: T, at position: Int) throws
  where T.RawValue: StorableValue {
    if isUnwanted(position) { return }
    try value.rawValue.bind(to: self, at: position)
  }

  /// Binds an optional property that is stored as its raw value.
  @inlinable
  public func bind<T: RawRepresentable>(_ value: T?, at position: Int) throws
  where T.RawValue: StorableValue {
    if isUnwanted(position) { return }
    try (value?.rawValue).bind(to: self, at: position)
  }

  /// Binds a property of a storable type that also has raw values.
  @inlinable
  public func bind<T: StorableValue & RawRepresentable>(_ value: T, at position: Int) throws
  where T.RawValue: StorableValue {
    if isUnwanted(position) { return }
    try value.bind(to: self, at: position)
  }

  /// Binds an optional property of a storable type that also has raw values.
  @inlinable
  public func bind<T: StorableValue & RawRepresentable>(_ value: T?, at position: Int) throws
  where T.RawValue: StorableValue {
    if isUnwanted(position) { return }
    try value.bind(to: self, at: position)
  }
}
