import ObjectVaultCondition

// Descriptions by Swift type. The overloads are selected as for reading and binding.
extension PropertyDescription {
  /// Creates a description of a property of a storable type.
  ///
  /// - Parameters:
  ///   - name: The name in Swift and in conditions.
  ///   - type: The type in Swift.
  ///   - column: The name of the column. Default: the name of the property.
  ///   - defaultValue: The value for objects that were stored before the property existed.
  ///   - renamedFrom: The former names of the column, latest first.
  public init<T: StorableValue>(
    _ name: String, _ type: T.Type, column: String? = nil, defaultValue: T? = nil,
    renamedFrom: [String] = []
  ) {
    self.init(
      name, of: T.self, column: column, storedAs: T.propertyType, isOptional: T.isOptional,
      renamedFrom: renamedFrom, default: { try defaultValue.map { try $0.storedValue } })
  }

  /// Creates a description of a property that is stored as its raw value.
  public init<T: RawRepresentable>(
    _ name: String, _ type: T.Type, column: String? = nil, defaultValue: T? = nil,
    renamedFrom: [String] = []
  ) where T.RawValue: StorableValue {
    self.init(
      name, of: T.self, column: column, storedAs: T.RawValue.propertyType,
      isOptional: T.RawValue.isOptional,
      renamedFrom: renamedFrom, default: { try defaultValue.map { try $0.rawValue.storedValue } })
  }

  /// Creates a description of an optional property that is stored as its raw value.
  public init<T: RawRepresentable>(
    _ name: String, _ type: T?.Type, column: String? = nil, defaultValue: T? = nil,
    renamedFrom: [String] = []
  ) where T.RawValue: StorableValue {
    self.init(
      name, of: T.self, column: column, storedAs: T.RawValue.propertyType, isOptional: true,
      renamedFrom: renamedFrom, default: { try defaultValue.map { try $0.rawValue.storedValue } })
  }

  /// Creates a description of a property of a storable type that also has raw values.
  public init<T: StorableValue & RawRepresentable>(
    _ name: String, _ type: T.Type, column: String? = nil, defaultValue: T? = nil,
    renamedFrom: [String] = []
  ) where T.RawValue: StorableValue {
    self.init(
      name, of: T.self, column: column, storedAs: T.propertyType, isOptional: T.isOptional,
      renamedFrom: renamedFrom, default: { try defaultValue.map { try $0.storedValue } })
  }

  /// Creates a description of an optional property of a storable type that also has raw values.
  public init<T: StorableValue & RawRepresentable>(
    _ name: String, _ type: T?.Type, column: String? = nil, defaultValue: T? = nil,
    renamedFrom: [String] = []
  ) where T.RawValue: StorableValue {
    self.init(
      name, of: T.self, column: column, storedAs: T.propertyType, isOptional: true,
      renamedFrom: renamedFrom, default: { try defaultValue.map { try $0.storedValue } })
  }

  /// Creates a description of a property that is stored as canonical JSON.
  @_disfavoredOverload
  public init<T: Codable>(
    _ name: String, _ type: T.Type, column: String? = nil, defaultValue: T? = nil,
    renamedFrom: [String] = []
  ) {
    self.init(
      name, of: T.self, column: column, storedAs: .json, isOptional: false,
      renamedFrom: renamedFrom,
      default: { try defaultValue.map { .text(try canonicalJSON($0)) } })
  }

  // `T??` makes this overload more specific than the preceding one, which also accepts optionals.
  /// Creates a description of an optional property that is stored as canonical JSON.
  @_disfavoredOverload
  public init<T: Codable>(
    _ name: String, _ type: T?.Type, column: String? = nil, defaultValue: T?? = nil,
    renamedFrom: [String] = []
  ) {
    self.init(
      name, of: T.self, column: column, storedAs: .json, isOptional: true, renamedFrom: renamedFrom,
      default: { try (defaultValue ?? nil).map { .text(try canonicalJSON($0)) } })
  }

  /// Creates a description of a property that is stored as canonical JSON and decoded on first
  /// access.
  @_disfavoredOverload
  public init<T: Codable>(
    _ name: String, _ type: Lazy<T>.Type, column: String? = nil, defaultValue: Lazy<T>? = nil,
    renamedFrom: [String] = []
  ) {
    self.init(
      name, of: T.self, column: column, storedAs: .json, isOptional: false,
      renamedFrom: renamedFrom,
      default: { try defaultValue.map { try $0.storedJSON } })
  }

  /// Creates a description of an optional property that is stored as canonical JSON and decoded on
  /// first access.
  @_disfavoredOverload
  public init<T: Codable>(
    _ name: String, _ type: Lazy<T>?.Type, column: String? = nil, defaultValue: Lazy<T>?? = nil,
    renamedFrom: [String] = []
  ) {
    self.init(
      name, of: T.self, column: column, storedAs: .json, isOptional: true, renamedFrom: renamedFrom,
      default: { try (defaultValue ?? nil).map { try $0.storedJSON } })
  }

  private init(
    _ name: String, of valueType: Any.Type, column: String?, storedAs type: PropertyType,
    isOptional: Bool,
    renamedFrom: [String], default defaultValue: () throws -> StoredValue?
  ) {
    self.init(
      name, column: column, type: type, isOptional: isOptional, renamedFrom: renamedFrom)
    self.valueType = ValueType(valueType)
    do {
      self.defaultValue = try defaultValue()
    } catch {
      // Thrown on first use of the class, because the initializer can't throw.
      defect = "The default value of property '\(name)' cannot be stored. \(error)"
    }
  }
}
