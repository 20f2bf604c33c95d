public import ObjectVaultCondition
public import ObjectVaultDriver

/// A storable wrapper for the value of a property with a converter.
///
/// Use it with functions that require a storable type:
/// `values(of: "name", "colour", as: String.self, Converted<HexColour>.self)`.
public struct Converted<Converter: PropertyConverter>: StorableValue {
  /// The value.
  public var value: Converter.Value

  /// Creates a wrapper for a value.
  @inlinable
  public init(_ value: Converter.Value) { self.value = value }

  /// The property type of the stored form.
  public static var propertyType: PropertyType { Converter.Stored.propertyType }

  /// Whether the stored form is optional.
  public static var isOptional: Bool { Converter.Stored.isOptional }

  /// Returns the converted value of a column.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the column contains no value of the
  ///   stored type, or if the converter rejects it.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Converted {
    try converted(Converter.Stored.read(from: row, at: position), at: position)
  }

  /// Returns the converted value of a column, or `nil` for NULL.
  @inlinable
  public static func readIfPresent(from row: Row, at position: Int) throws -> Converted? {
    guard let stored = try Converter.Stored.readIfPresent(from: row, at: position) else {
      return nil
    }
    return try converted(stored, at: position)
  }

  @inlinable
  static func converted(_ stored: Converter.Stored, at position: Int) throws -> Converted {
    do {
      return Converted(try Converter.value(stored))
    } catch {
      throw VaultError.unreadable(through: Converter.self, at: position, error)
    }
  }

  /// Converts the value and binds the result.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the converter rejects the value, or if
  ///   its result can't be stored.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    let stored: Converter.Stored
    do {
      stored = try Converter.stored(value)
    } catch {
      throw VaultError.refused(by: Converter.self, at: position, error)
    }
    try stored.bind(to: binder, at: position)
  }

  /// The converted value in its stored format.
  ///
  /// - Throws: The errors of ``bind(to:at:)``.
  public var storedValue: StoredValue {
    get throws {
      let stored: Converter.Stored
      do {
        stored = try Converter.stored(value)
      } catch {
        throw VaultError.refused(by: Converter.self, at: nil, error)
      }
      return try stored.storedValue
    }
  }
}

extension Converted: Sendable where Converter.Value: Sendable {}
extension Converted: Equatable where Converter.Value: Equatable {}
extension Converted: Hashable where Converter.Value: Hashable {}

// Not inlined, because these functions run only on failure.
extension VaultError {
  /// Returns the error for a column with a value that the converter rejects.
  @usableFromInline @inline(never)
  static func unreadable<C: PropertyConverter>(
    through converter: C.Type, at position: Int, _ error: (any Error)? = nil
  ) -> VaultError {
    VaultError(
      .invalidValue,
      "Column \(position) contains a value that converter '\(C.self)' cannot read. Correct the "
        + "row, or extend the converter to read all stored values.",
      underlying: error)
  }

  /// Returns the error for a value that the converter can't store.
  @usableFromInline @inline(never)
  static func refused<C: PropertyConverter>(
    by converter: C.Type, at position: Int?, _ error: any Error
  ) -> VaultError {
    let start = position.map { "Column \($0) cannot have a value" } ?? "A value cannot be stored"
    return VaultError(
      .invalidValue,
      "\(start) that converter '\(C.self)' rejects. Use a value that it can store.",
      underlying: error)
  }
}
