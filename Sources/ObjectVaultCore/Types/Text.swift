public import ObjectVaultCondition
public import ObjectVaultEngine

extension String: StorableValue, ObjectIDValue {
  /// `String`.
  public static var propertyType: PropertyType { .string }

  /// Reads text, verbatim.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the column holds no value.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> String {
    guard let text = row.text(at: position) else {
      throw VaultError.wrongStorageClass(in: row, at: position, reading: String.self)
    }
    return text
  }

  /// Reads text, verbatim, or `nil` where the column holds no value.
  @inlinable
  public static func readIfPresent(from row: Row, at position: Int) throws -> String? {
    row.text(at: position)
  }

  /// Binds text, verbatim: NUL, quotes and every scalar survive.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    binder.bind(text: self, at: position)
  }

  /// Text.
  public var storedValue: StoredValue { .text(self) }
}

extension Substring: StorableValue {
  /// `String`.
  public static var propertyType: PropertyType { .string }

  /// Reads text, verbatim.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Substring {
    Substring(try String.read(from: row, at: position))
  }

  /// Binds text, verbatim.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    var copy = self
    copy.withUTF8 { utf8 in binder.bind(utf8: UnsafeRawBufferPointer(utf8), at: position) }
  }

  /// Text.
  public var storedValue: StoredValue { .text(String(self)) }
}

extension Character: StorableValue {
  /// `Character`.
  public static var propertyType: PropertyType { .character }

  /// Reads text of exactly one character, which may be of several scalars.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the text has none or more.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Character {
    let text = try String.read(from: row, at: position)
    guard let first = text.first, text.index(after: text.startIndex) == text.endIndex else {
      throw VaultError.unreadable(
        "text of another length than one character", at: position, reading: Character.self)
    }
    return first
  }

  /// Binds text, verbatim.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    binder.bind(text: String(self), at: position)
  }

  /// Text of one character.
  public var storedValue: StoredValue { .text(String(self)) }
}
