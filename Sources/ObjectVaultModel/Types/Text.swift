public import ObjectVaultCondition
public import ObjectVaultDriver

extension String: StorableValue, ObjectIDValue {
  /// The property type `String`.
  public static var propertyType: PropertyType { .string }

  /// Returns the unchanged text of a column.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` for NULL.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> String {
    guard let text = row.text(at: position) else {
      throw VaultError.wrongStorageClass(in: row, at: position, reading: String.self)
    }
    return text
  }

  /// Returns the unchanged text of a column, or `nil` for NULL.
  @inlinable
  public static func readIfPresent(from row: Row, at position: Int) throws -> String? {
    row.text(at: position)
  }

  /// Binds the unchanged text, including NUL, quotes and all Unicode scalars.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    binder.bind(text: self, at: position)
  }

  /// The string as text.
  public var storedValue: StoredValue { .text(self) }
}

extension Substring: StorableValue {
  /// The property type `String`.
  public static var propertyType: PropertyType { .string }

  /// Returns the unchanged text of a column.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Substring {
    Substring(try String.read(from: row, at: position))
  }

  /// Binds the unchanged text.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    var copy = self
    copy.withUTF8 { utf8 in binder.bind(utf8: UnsafeRawBufferPointer(utf8), at: position) }
  }

  /// The string as text.
  public var storedValue: StoredValue { .text(String(self)) }
}

extension Character: StorableValue {
  /// The property type `Character`.
  public static var propertyType: PropertyType { .character }

  /// Returns the character in a column, which may consist of several scalars.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the text does not have exactly one
  ///   character.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Character {
    let text = try String.read(from: row, at: position)
    guard let first = text.first, text.index(after: text.startIndex) == text.endIndex else {
      throw VaultError.unreadable(
        "text of another length than one character", at: position, reading: Character.self)
    }
    return first
  }

  /// Binds the unchanged text.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    binder.bind(text: String(self), at: position)
  }

  /// The character as text.
  public var storedValue: StoredValue { .text(String(self)) }
}
