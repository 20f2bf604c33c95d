package import ObjectVaultCondition
package import ObjectVaultDriver

extension StoredValue {
  /// Returns the value as a storable type.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - column: The name of the value's column, for errors.
  /// - Returns: The value.
  /// - Throws: `.invalidValue` if the value is not valid for the type or would be changed.
  package func read<T: StorableValue>(_ type: T.Type, column: String) throws -> T {
    try checkFit(T.propertyType, isOptional: T.isOptional, "\(type)", column: column)
    return try naming(column) {
      try Row.withValues([self]) { row throws in try T.read(from: row, at: 0) }
    }
  }

  /// Returns the value as a type that is stored as canonical JSON.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - column: The name of the value's column, for errors.
  /// - Returns: The decoded value.
  /// - Throws: `.invalidValue` if the value is not text that the type can be decoded from.
  package func read<T: Decodable>(json type: T.Type, column: String) throws -> T {
    try naming(column) {
      switch self {
      case .null: return try decodeCanonicalJSON(type, from: "null")
      case .text(let text): return try decodeCanonicalJSON(type, from: text)
      default: throw misfit("\(type)", column)
      }
    }
  }

  /// Checks that a property can read the value without changing it.
  ///
  /// - Parameters:
  ///   - property: The type of the property.
  ///   - isOptional: Whether the property accepts NULL.
  ///   - type: The name of the type, for the error.
  ///   - column: The name of the value's column, for the error.
  /// - Throws: `.invalidValue` if it can't.
  package func checkFit(
    _ property: PropertyType, isOptional: Bool, _ type: @autoclosure () -> String, column: String
  ) throws(VaultError) {
    guard fits(property, isOptional: isOptional) else { throw misfit(type(), column) }
  }

  /// Adds the name of the column to errors of `body`.
  private func naming<T>(_ name: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch var error as VaultError {
      let start = "Column 0"
      if error.message.hasPrefix(start) {
        error.message = "Column '\(name)'" + error.message.dropFirst(start.count)
      } else if !error.message.hasPrefix("Column '") {
        error.message = "Column '\(name)': \(error.message)"
      }
      throw error
    }
  }

  private func misfit(_ type: String, _ column: String) -> VaultError {
    let (found, remedy) = namedClass
    return VaultError(
      .invalidValue, "Column '\(column)' contains \(found), but \(type) is expected. \(remedy)")
  }

  /// Returns whether a property of the type can read the value without changing it.
  private func fits(_ type: PropertyType, isOptional: Bool) -> Bool {
    let (storage, integer, real): (Int32, Int64, Double) =
      switch self {
      case .null: (StorageCode.null, 0, 0)
      case .integer(let value): (StorageCode.integer, value, 0)
      case .real(let value): (StorageCode.real, 0, value)
      case .text: (StorageCode.text, 0, 0)
      case .blob: (StorageCode.blob, 0, 0)
      }
    return type.reads(storage, integer, real, isOptional: isOptional)
  }

  /// The description of the storage class, and advice for a type mismatch.
  private var namedClass: (String, remedy: String) {
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
  /// `integer` and `real` are the value if the storage class is integer or real.
  fileprivate func reads(
    _ storage: Int32, _ integer: @autoclosure () -> Int64, _ real: @autoclosure () -> Double,
    isOptional: Bool
  ) -> Bool {
    switch (storage, family) {
    case (StorageCode.null, _): return isOptional
    case (StorageCode.integer, .boolean), (StorageCode.integer, .integer),
      (StorageCode.integer, .decimal):
      return true
    case (StorageCode.integer, .real), (StorageCode.integer, .date):
      let value = integer()
      return self == .float ? Float(exactly: value) != nil : Double(exactly: value) != nil
    case (StorageCode.real, .real): return self != .float || Float(exactly: real()) != nil
    case (StorageCode.real, .date): return true
    case (StorageCode.text, .text), (StorageCode.text, .uuid), (StorageCode.text, .url),
      (StorageCode.text, .decimal), (StorageCode.text, .composite):
      return true
    case (StorageCode.blob, .data): return true
    default: return false
    }
  }
}

extension Row {
  /// Returns the value of a column that may have another type.
  ///
  /// - Parameters:
  ///   - type: The type to read.
  ///   - position: The position of the column.
  /// - Returns: The value.
  /// - Throws: `.invalidValue` if the value is not valid for the type or would be changed.
  package func checkedValue<T: StorableValue>(_ type: T.Type, at position: Int) throws -> T {
    let storage = storageClass(at: position)
    guard
      T.propertyType.reads(
        storage, integer(at: position), real(at: position), isOptional: T.isOptional)
    else {
      throw VaultError(
        .invalidValue,
        "Column \(position) contains \(StorageCode.name(storage)), but \(type) is expected. "
          + "Read it as \(storage == StorageCode.null ? "an optional" : "a type that has the value")."
      )
    }
    return try T.read(from: self, at: position)
  }

  /// Returns whether properties can read the columns at these positions without changing the
  /// values.
  package func fits(_ properties: [PropertyDescription], at places: [Int]) -> Bool {
    for (property, place) in zip(properties, places) {
      let storage = storageClass(at: place)
      guard
        property.type.reads(
          storage, integer(at: place), real(at: place), isOptional: property.isOptional),
        storage != StorageCode.text || isValidText(at: place)
      else { return false }
    }
    return true
  }

  /// Returns whether the column's text is valid UTF-8.
  private func isValidText(at position: Int) -> Bool {
    let isASCII = withBytes(at: position) { bytes in bytes.allSatisfy { $0 < 0x80 } }
    return isASCII || validText(at: position) != nil
  }
}
