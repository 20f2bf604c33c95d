import ObjectVaultCondition

// Describes a property by its Swift type; which form serves is settled as for reading and binding.
extension PropertyDescription {
  /// Describes a property of a storable type.
  ///
  /// - Parameters:
  ///   - name: The name in Swift and in conditions.
  ///   - type: The type in Swift.
  ///   - column: The name of the column; the property's name by default.
  ///   - defaultValue: The value of objects written before the property existed.
  ///   - renamedFrom: The columns it was kept in before, latest first.
  public init<T: StorableValue>(
    _ name: String, _ type: T.Type, column: String? = nil, defaultValue: T? = nil,
    renamedFrom: [String] = []
  ) {
    self.init(
      name, column: column, storedAs: T.propertyType, isOptional: T.isOptional,
      renamedFrom: renamedFrom, default: { try defaultValue.map { try $0.storedValue } })
  }

  /// Describes a property that is kept as its raw value.
  public init<T: RawRepresentable>(
    _ name: String, _ type: T.Type, column: String? = nil, defaultValue: T? = nil,
    renamedFrom: [String] = []
  ) where T.RawValue: StorableValue {
    self.init(
      name, column: column, storedAs: T.RawValue.propertyType, isOptional: T.RawValue.isOptional,
      renamedFrom: renamedFrom, default: { try defaultValue.map { try $0.rawValue.storedValue } })
  }

  /// Describes an optional property that is kept as its raw value.
  public init<T: RawRepresentable>(
    _ name: String, _ type: T?.Type, column: String? = nil, defaultValue: T? = nil,
    renamedFrom: [String] = []
  ) where T.RawValue: StorableValue {
    self.init(
      name, column: column, storedAs: T.RawValue.propertyType, isOptional: true,
      renamedFrom: renamedFrom, default: { try defaultValue.map { try $0.rawValue.storedValue } })
  }

  /// Describes a property of a storable type that has raw values too.
  public init<T: StorableValue & RawRepresentable>(
    _ name: String, _ type: T.Type, column: String? = nil, defaultValue: T? = nil,
    renamedFrom: [String] = []
  ) where T.RawValue: StorableValue {
    self.init(
      name, column: column, storedAs: T.propertyType, isOptional: T.isOptional,
      renamedFrom: renamedFrom, default: { try defaultValue.map { try $0.storedValue } })
  }

  /// Describes an optional property of a storable type that has raw values too.
  public init<T: StorableValue & RawRepresentable>(
    _ name: String, _ type: T?.Type, column: String? = nil, defaultValue: T? = nil,
    renamedFrom: [String] = []
  ) where T.RawValue: StorableValue {
    self.init(
      name, column: column, storedAs: T.propertyType, isOptional: true,
      renamedFrom: renamedFrom, default: { try defaultValue.map { try $0.storedValue } })
  }

  /// Describes a property that is kept as canonical JSON.
  @_disfavoredOverload
  public init<T: Codable>(
    _ name: String, _ type: T.Type, column: String? = nil, defaultValue: T? = nil,
    renamedFrom: [String] = []
  ) {
    self.init(
      name, column: column, storedAs: .json, isOptional: false, renamedFrom: renamedFrom,
      default: { try defaultValue.map { .text(try canonicalJSON($0)) } })
  }

  // `T??` makes this a special case of the form above, which an optional would fit as well.
  /// Describes an optional property that is kept as canonical JSON.
  @_disfavoredOverload
  public init<T: Codable>(
    _ name: String, _ type: T?.Type, column: String? = nil, defaultValue: T?? = nil,
    renamedFrom: [String] = []
  ) {
    self.init(
      name, column: column, storedAs: .json, isOptional: true, renamedFrom: renamedFrom,
      default: { try (defaultValue ?? nil).map { .text(try canonicalJSON($0)) } })
  }

  /// Describes a property that is kept as canonical JSON and decoded later.
  @_disfavoredOverload
  public init<T: Codable>(
    _ name: String, _ type: Lazy<T>.Type, column: String? = nil, defaultValue: Lazy<T>? = nil,
    renamedFrom: [String] = []
  ) {
    self.init(
      name, column: column, storedAs: .json, isOptional: false, renamedFrom: renamedFrom,
      default: { try defaultValue.map { try $0.storedJSON } })
  }

  /// Describes an optional property that is kept as canonical JSON and decoded later.
  @_disfavoredOverload
  public init<T: Codable>(
    _ name: String, _ type: Lazy<T>?.Type, column: String? = nil, defaultValue: Lazy<T>?? = nil,
    renamedFrom: [String] = []
  ) {
    self.init(
      name, column: column, storedAs: .json, isOptional: true, renamedFrom: renamedFrom,
      default: { try (defaultValue ?? nil).map { try $0.storedJSON } })
  }

  private init(
    _ name: String, column: String?, storedAs type: PropertyType, isOptional: Bool,
    renamedFrom: [String], default defaultValue: () throws -> StoredValue?
  ) {
    self.init(
      name, column: column, type: type, isOptional: isOptional, renamedFrom: renamedFrom)
    do {
      self.defaultValue = try defaultValue()
    } catch {
      // Thrown when the class is first used, where an error can be.
      defect = "The default value of property '\(name)' cannot be stored. \(error)"
    }
  }
}
