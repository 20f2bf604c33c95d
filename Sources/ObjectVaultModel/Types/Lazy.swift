import Foundation
public import ObjectVaultCondition
public import ObjectVaultDriver

/// A value that is converted on first access and cached afterwards.
///
/// An object with a large, rarely used composite is fetched without decoding it. If the value is
/// stored again without having been read, its stored form is written unchanged. `Lazy` can wrap
/// storable types, which have their usual stored format, and `Codable` types, which are stored as
/// JSON. An enumeration with raw values that is `Codable` but not ``StorableValue`` is therefore
/// stored as JSON, and not as its raw value as without `Lazy`.
///
/// ```swift
/// @Stored struct Track { var name: String; var points: Lazy<[Point]> }
///
/// let track = try tracks.first()!       // decodes no point
/// let points = try track.points.value   // decodes them, once
/// try tracks.insert(Track(name: "home", points: Lazy(points)))
/// ```
///
/// Copies share the converted value. All threads may read it. If several threads read it for the
/// first time at once, each may convert it, and all of them get the result of the first one that
/// finishes. An invalid stored value is reported when it is read.
public struct Lazy<Value: Sendable>: Sendable {
  private let content: Content

  /// The stored or converted value, shared by copies.
  private final class Content: Sendable {
    enum State {
      case stored(StoredValue, convert: @Sendable (StoredValue) throws -> Value)
      case value(Value)
    }

    private let state: Locked<State>

    init(_ state: State) { self.state = Locked(state) }

    var current: State { state.withLock { $0 } }

    func value() throws -> Value {
      switch current {
      case .value(let value): return value
      case .stored(let stored, let convert):
        // Outside the lock, because the conversion is application code and may read this value.
        let value = try convert(stored)
        return state.withLock { state in
          // Another thread or the conversion itself may have finished first.
          if case .value(let first) = state { return first }
          state = .value(value)
          return value
        }
      }
    }
  }

  /// Creates a lazy value that is already converted.
  public init(_ value: Value) {
    content = Content(.value(value))
  }

  init(stored: StoredValue, convert: @escaping @Sendable (StoredValue) throws -> Value) {
    content = Content(.stored(stored, convert: convert))
  }

  /// The value, which is converted on first access.
  ///
  /// To change it, create another `Lazy`.
  ///
  /// - Throws: ``VaultError`` `.invalidValue` on every access if the stored value is not valid for
  ///   the type; the errors of a custom conversion.
  public var value: Value { get throws { try content.value() } }

  /// Whether the value was read or provided.
  public var isConverted: Bool { stored == nil }

  /// The stored value, unless it was converted.
  fileprivate var stored: StoredValue? {
    if case .stored(let stored, _) = content.current { stored } else { nil }
  }
}

// MARK: - Storable values

extension Lazy: SQLExpressible where Value: StorableValue {}

extension Lazy: StorableValue where Value: StorableValue {
  /// The property type of the value.
  public static var propertyType: PropertyType { Value.propertyType }

  /// Whether the value is optional.
  public static var isOptional: Bool { Value.isOptional }

  /// Returns a lazy value with the stored value of the column.
  public static func read(from row: Row, at position: Int) throws -> Lazy {
    Lazy(stored: row.storedValue(at: position)) { stored in
      try stored.read(Value.self, column: lazyColumn)
    }
  }

  /// Binds the stored value, or the converted value if there is none.
  public func bind(to binder: Binder, at position: Int) throws {
    if let stored {
      stored.bind(to: binder, at: position)
    } else {
      try value.bind(to: binder, at: position)
    }
  }

  /// The stored value, or the converted value in its stored format if there is none.
  public var storedValue: StoredValue { get throws { try stored ?? value.storedValue } }
}

/// The column name in errors about a value that is converted later.
private let lazyColumn = "of a lazy value"

// MARK: - Composites

extension Lazy where Value: Codable {
  fileprivate init(json row: Row, at position: Int) {
    self.init(stored: row.storedValue(at: position)) { stored in
      try stored.read(json: Value.self, column: lazyColumn)
    }
  }

  var storedJSON: StoredValue { get throws { try stored ?? .text(canonicalJSON(value)) } }
}

// As for other composites: the overload is selected at compile time, and only for types that are
// not storable.
extension Row {
  /// Returns a property that is stored as canonical JSON and decoded on first access.
  @_disfavoredOverload
  public func value<T: Codable>(at position: Int, as type: Lazy<T>.Type = Lazy<T>.self) throws
    -> Lazy<T>
  {
    Lazy(json: self, at: position)
  }

  /// Returns an optional property that is stored as canonical JSON and decoded on first access.
  @_disfavoredOverload
  public func value<T: Codable>(
    at position: Int, as type: Lazy<T>?.Type = Lazy<T>?.self
  ) throws -> Lazy<T>? {
    isNull(at: position) ? nil : Lazy(json: self, at: position)
  }
}

extension Binder {
  /// Binds a property that is stored as canonical JSON, or its stored form if it was not decoded.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if JSON can't represent the value.
  @_disfavoredOverload
  public func bind<T: Codable>(_ value: Lazy<T>, at position: Int) throws {
    if isUnwanted(position) { return }
    try value.storedJSON.bind(to: self, at: position)
  }

  /// Binds an optional property that is stored as canonical JSON, or NULL for `nil`.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if JSON can't represent the value.
  @_disfavoredOverload
  public func bind<T: Codable>(_ value: Lazy<T>?, at position: Int) throws {
    if isUnwanted(position) { return }
    guard let value else { return bindNull(at: position) }
    try value.storedJSON.bind(to: self, at: position)
  }
}

// MARK: - Equality and coding

extension Lazy: Equatable where Value: Equatable {
  /// Returns whether the values are equal.
  ///
  /// Equal stored values that were not read are equal without a conversion. A value that can't be
  /// converted is equal only to the same stored value.
  public static func == (a: Lazy, b: Lazy) -> Bool {
    if a.content === b.content { return true }
    if let first = a.stored, first == b.stored { return true }
    guard let first = try? a.value, let second = try? b.value else { return false }
    return first == second
  }
}

extension Lazy: Hashable where Value: Hashable {
  /// Hashes the value after converting it, or the stored value if the conversion fails.
  public func hash(into hasher: inout Hasher) {
    if let value = try? value { hasher.combine(value) } else { hasher.combine(stored) }
  }
}

extension Lazy: Encodable where Value: Encodable {
  /// Encodes the value after converting it.
  public func encode(to encoder: any Encoder) throws {
    // A stored number does not show whether it counts seconds since 1970 or, as in files of earlier
    // versions, since 2001. So dates inside composites remain as they are.
    if Value.self == Date.self { return try value.encode(to: encoder) }
    // The container recognizes sets and dictionaries by their type.
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension Lazy: Decodable where Value: Decodable {
  /// Creates a lazy value and decodes its value immediately.
  public init(from decoder: any Decoder) throws {
    if Value.self != Date.self,
      let value = try? decoder.singleValueContainer().decode(Value.self)
    {
      self.init(value)
    } else {
      // Dates, and values that earlier versions stored inside composites.
      self.init(try Value(from: decoder))
    }
  }
}

extension Lazy: CustomStringConvertible, CustomReflectable {
  /// The type, without the value.
  public var description: String { "Lazy<\(Value.self)>" }

  /// An empty mirror, so that reflection neither reveals nor converts the value.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
