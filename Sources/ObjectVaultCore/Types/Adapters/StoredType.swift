/// The types that a ``StoredType`` can be, each with the name that it is stored by.
public protocol StorableTypes {
  /// The types by their names, each once. A name stays in use as long as objects have it, whatever the
  /// type is called.
  static var types: [String: Any.Type] { get }
}

/// A type itself as a value, stored as TEXT by its name.
///
/// Only types of a list can be stored and come back: what stands in a file never chooses any other type
/// of the program.
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
  /// The name that it is stored by.
  public let stored: String

  /// A type of the list.
  ///
  /// - Throws: ``VaultError`` `.invalidValue` for any other type.
  public init(_ type: Any.Type) throws {
    let names = List.types.filter { $0.value == type }.keys
    guard let name = names.min() else {
      throw VaultError(
        .invalidValue,
        "Type \(type) is not among those of \(List.self). Give it a name there to store it.")
    }
    self.type = type
    stored = name
  }

  /// The type of this name.
  ///
  /// - Throws: ``VaultError`` `.invalidValue` for a name that the list does not have.
  public init(stored name: String) throws {
    guard let type = List.types[name] else {
      throw VaultError(
        .invalidValue,
        "A stored name is that of no type of \(List.self). Keep the names of all types that were stored."
      )
    }
    self.type = type
    stored = name
  }

  /// Whether both are the same type.
  public static func == (a: StoredType, b: StoredType) -> Bool { a.type == b.type }

  /// Hashes the type.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}

// A metatype is the same for everybody.
extension StoredType: @unchecked Sendable {}
