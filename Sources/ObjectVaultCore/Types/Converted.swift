public import ObjectVaultCondition
public import ObjectVaultEngine

/// A value of a property that is stored through a converter, where a storable type is asked for:
/// `values(of: "name", "colour", as: String.self, Converted<HexColour>.self)`.
public struct Converted<Converter: PropertyConverter>: StorableValue {
  /// The value.
  public var value: Converter.Value

  /// A value.
  @inlinable
  public init(_ value: Converter.Value) { self.value = value }

  /// The type of what is stored.
  public static var propertyType: PropertyType { Converter.Stored.propertyType }

  /// Whether what is stored may be `nil`.
  public static var isOptional: Bool { Converter.Stored.isOptional }

  /// Reads what was stored and converts it.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the column holds no value of the stored
  ///   type, or one that the converter refuses.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Converted {
    try converted(Converter.Stored.read(from: row, at: position), at: position)
  }

  /// Reads what was stored, where there is something, and converts it.
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

  /// Converts and binds.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the converter refuses the value, or the
  ///   file could not keep what it gives.
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

  /// The converted value as the file keeps it.
  ///
  /// - Throws: as ``bind(to:at:)``.
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

// Out of line and never inlined: these run only on failure.
extension VaultError {
  /// A column holds what a converter refuses.
  @usableFromInline @inline(never)
  static func unreadable<C: PropertyConverter>(
    through converter: C.Type, at position: Int, _ error: (any Error)? = nil
  ) -> VaultError {
    VaultError(
      .invalidValue,
      """
      Column \(position) holds what converter '\(C.self)' cannot read. Correct the row, or have the \
      converter read everything that was stored.
      """, underlying: error)
  }

  /// A converter refuses a value that is to be stored.
  @usableFromInline @inline(never)
  static func refused<C: PropertyConverter>(
    by converter: C.Type, at position: Int?, _ error: any Error
  ) -> VaultError {
    let start = position.map { "Column \($0) cannot have a value" } ?? "A value cannot be stored"
    return VaultError(
      .invalidValue,
      "\(start) that converter '\(C.self)' refuses. Give one that it can store.",
      underlying: error)
  }
}
