import ObjectVaultDriver

/// A list of the types that a ``StoredType`` can contain, with their stored names.
public protocol StorableTypes {
  /// The types by their unique names.
  ///
  /// A name must remain in the list as long as objects use it, even if the type is renamed.
  static var types: [String: Any.Type] { get }
}

/// A Swift type as a value, stored as TEXT by its name.
///
/// Only types in a list can be stored and read: the contents of a file can never select any other
/// type of the program.
///
/// ```swift
/// enum Shapes: StorableTypes {
///   static var types: [String: Any.Type] { ["circle": Circle.self, "square": Square.self] }
/// }
/// @Stored struct Drawing { var shape: StoredType<Shapes> }
///
/// try drawings.insert(Drawing(shape: StoredType(Circle.self)))
/// let shape = drawing.shape.type as? any Shape.Type
/// ```
public struct StoredType<List: StorableTypes>: ConvertibleToStorable, Hashable {
  /// The type.
  public let type: Any.Type
  /// The stored name of the type.
  public let stored: String

  /// Creates a value from a type in the list.
  ///
  /// - Throws: ``VaultError`` `.invalidValue` for any other type.
  public init(_ type: Any.Type) throws {
    let names = List.types.filter { $0.value == type }.keys
    guard let name = names.min() else {
      throw VaultError(
        .invalidValue,
        "Type \(type) is not among the types of \(List.self). Add a name for it there.")
    }
    self.type = type
    stored = name
  }

  /// Creates a value from the name of a type.
  ///
  /// - Throws: ``VaultError`` `.invalidValue` for a name that is not in the list.
  public init(stored name: String) throws {
    guard let type = List.types[name] else {
      throw VaultError(
        .invalidValue,
        "A stored name does not belong to a type of \(List.self). Keep the names of all stored "
          + "types in the list.")
    }
    self.type = type
    stored = name
  }

  /// Returns whether both are the same type.
  public static func == (a: StoredType, b: StoredType) -> Bool { a.type == b.type }

  /// Hashes the type.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}

// A metatype is immutable.
extension StoredType: @unchecked Sendable {}
