import ObjectVaultCondition

// The overloads have one name, as for binding; the type selects one.
extension SQLRow {
  /// Returns the value of a named column as a storable type.
  ///
  /// - Throws: ``VaultError``: `.notLoaded` if there is no such column; `.invalidValue` if the
  ///   value is not valid for the type: text for a number, a fraction for an integer, NULL for a
  ///   type that is not optional.
  public func value<T: StorableValue>(_ column: String, as type: T.Type = T.self) throws -> T {
    try read(type, at: position(of: column))
  }

  /// Returns the value of the column at a position, counted from 0.
  ///
  /// - Throws: The errors of `value(_:as:)`; `.invalidArgument` for a position out of range.
  public func value<T: StorableValue>(at position: Int, as type: T.Type = T.self) throws -> T {
    try check(position)
    return try read(type, at: position)
  }

  /// Returns the value of a named column as a type that is stored as its raw value.
  ///
  /// - Throws: The errors of `value(_:as:)`.
  public func value<T: RawRepresentable>(_ column: String, as type: T.Type = T.self) throws -> T
  where T.RawValue: StorableValue {
    try read(raw: type, at: position(of: column))
  }

  /// Returns the value of a named column as a type that is stored as its raw value, or `nil` for
  /// NULL.
  ///
  /// - Throws: The errors of `value(_:as:)`.
  public func value<T: RawRepresentable>(_ column: String, as type: T?.Type = T?.self) throws -> T?
  where T.RawValue: StorableValue {
    let position = try position(of: column)
    return values[position].isNull ? nil : try read(raw: T.self, at: position)
  }

  /// Returns the value of a named column as a storable type that also has raw values.
  ///
  /// - Throws: The errors of `value(_:as:)`.
  public func value<T: StorableValue & RawRepresentable>(
    _ column: String, as type: T.Type = T.self
  ) throws -> T where T.RawValue: StorableValue {
    try read(type, at: position(of: column))
  }

  /// Returns the value of a named column as a type that is stored as canonical JSON.
  ///
  /// - Throws: The errors of `value(_:as:)`.
  @_disfavoredOverload
  public func value<T: Codable>(_ column: String, as type: T.Type = T.self) throws -> T {
    try read(json: type, at: position(of: column))
  }

  // MARK: Reading

  func read<T: StorableValue>(_ type: T.Type, at position: Int) throws -> T {
    try checkFit(T.propertyType, isOptional: T.isOptional, "\(type)", at: position)
    return try named(position) {
      try StoredRowReader.withRow([values[position]]) { try T.read(from: $0, at: 0) }
    }
  }

  func read<T: RawRepresentable>(raw type: T.Type, at position: Int) throws -> T
  where T.RawValue: StorableValue {
    let raw = try read(T.RawValue.self, at: position)
    guard let value = T(rawValue: raw) else {
      throw VaultError(
        .invalidValue,
        "Column '\(columns.names[position])' contains a value that \(type) does not have. Correct "
          + "the row, or read it as \(T.RawValue.self).")
    }
    return value
  }

  func read<T: Decodable>(json type: T.Type, at position: Int) throws -> T {
    try named(position) {
      switch values[position] {
      case .null: return try decodeCanonicalJSON(type, from: "null")
      case .text(let text): return try decodeCanonicalJSON(type, from: text)
      default: throw misfit("\(type)", at: position)
      }
    }
  }

  /// Adds the name of the column to errors of `body`.
  private func named<T>(_ position: Int, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch var error as VaultError {
      let (name, start) = (columns.names[position], "Column 0")
      if error.message.hasPrefix(start) {
        error.message = "Column '\(name)'" + error.message.dropFirst(start.count)
      } else if !error.message.hasPrefix("Column '") {
        error.message = "Column '\(name)': \(error.message)"
      }
      throw error
    }
  }

  /// Checks that the type can read the stored value without changing it.
  func checkFit(
    _ property: PropertyType, isOptional: Bool, _ type: @autoclosure () -> String, at position: Int
  ) throws(VaultError) {
    guard values[position].fits(property, isOptional: isOptional) else {
      throw misfit(type(), at: position)
    }
  }

  private func misfit(_ type: String, at position: Int) -> VaultError {
    let (found, remedy) = values[position].namedClass
    return VaultError(
      .invalidValue,
      "Column '\(columns.names[position])' contains \(found), but \(type) is expected. \(remedy)")
  }
}

extension StoredValue {
  /// Returns whether a property of the type can read the value without changing it.
  fileprivate func fits(_ type: PropertyType, isOptional: Bool) -> Bool {
    let (storage, integer): (Int32, Int64) =
      switch self {
      case .null: (StorageClass.null, 0)
      case .integer(let value): (StorageClass.integer, value)
      case .real: (StorageClass.real, 0)
      case .text: (StorageClass.text, 0)
      case .blob: (StorageClass.blob, 0)
      }
    return type.reads(storage, integer, isOptional: isOptional)
  }

  /// The description of the storage class, and advice for a type mismatch.
  fileprivate var namedClass: (String, remedy: String) {
    switch self {
    case .null: ("no value", "Read it as an optional.")
    case .integer: ("an integer", Self.remedy)
    case .real: ("a real number", Self.remedy)
    case .text: ("text", Self.remedy)
    case .blob: ("a blob", Self.remedy)
    }
  }

  private static let remedy =
    "Read it as a type that has such values, or convert it in the statement."
}

extension PropertyType {
  /// Returns whether a property of the type can read a storage class without changing the value.
  ///
  /// `integer` is the value if the storage class is integer.
  fileprivate func reads(
    _ storage: Int32, _ integer: @autoclosure () -> Int64, isOptional: Bool
  ) -> Bool {
    switch (storage, family) {
    case (StorageClass.null, _): return isOptional
    case (StorageClass.integer, .boolean), (StorageClass.integer, .integer),
      (StorageClass.integer, .decimal):
      return true
    case (StorageClass.integer, .real), (StorageClass.integer, .date):
      let value = integer()
      return Int64(exactly: Double(value)) == value
    case (StorageClass.real, .real), (StorageClass.real, .date): return true
    case (StorageClass.text, .text), (StorageClass.text, .uuid), (StorageClass.text, .url),
      (StorageClass.text, .decimal), (StorageClass.text, .composite):
      return true
    case (StorageClass.blob, .data): return true
    default: return false
    }
  }
}

extension Row {
  /// Returns whether properties can read the columns at these positions without changing the
  /// values.
  func fits(_ properties: [PropertyDescription], at places: [Int]) -> Bool {
    for (property, place) in zip(properties, places) {
      let storage = storageClass(at: place)
      guard
        property.type.reads(storage, integer(at: place), isOptional: property.isOptional),
        storage != StorageClass.text || isValidText(at: place)
      else { return false }
    }
    return true
  }

  /// Returns whether the column's text is valid UTF-8.
  private func isValidText(at position: Int) -> Bool {
    withBytes(at: position) { bytes in
      bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
    }
  }
}
