public import Foundation
public import ObjectVaultCondition
public import ObjectVaultDriver

extension URL: StorableValue, ObjectIDValue {
  /// The property type `URL`.
  public static var propertyType: PropertyType { .url }

  /// Returns a URL from its absolute text.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the column contains no URL.
  public static func read(from row: Row, at position: Int) throws -> URL {
    let text = try String.read(from: row, at: position)
    guard let value = URL(storedText: text) else {
      throw VaultError.unreadable("text that is not a URL", at: position, reading: URL.self)
    }
    return value
  }

  /// Binds the absolute text.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` for a URL relative to a base, because the
  ///   base would be lost, and for a URL that differs from the URL parsed from its text.
  public func bind(to binder: Binder, at position: Int) throws {
    binder.bind(text: try storedText, at: position)
  }

  /// The absolute text.
  ///
  /// - Throws: The errors of ``bind(to:at:)``.
  public var storedValue: StoredValue { get throws { .text(try storedText) } }

  package init?(storedText: String) {
    self.init(string: storedText, encodingInvalidCharacters: false)
  }

  package var storedText: String {
    get throws {
      if baseURL != nil {
        throw VaultError.unstorable(
          "A URL relative to a base", of: URL.self, remedy: "Store its absoluteURL.")
      }
      let text = absoluteString
      guard URL(storedText: text) == self else {
        throw VaultError.unstorable(
          "A URL that changes when it is read from its own text", of: URL.self,
          remedy: "Create it from valid, percent-encoded text.")
      }
      return text
    }
  }
}
