public import ObjectVaultCondition
public import ObjectVaultEngine

/// A value that is converted when it is first read, and kept from then on.
///
/// An object with a large composite that is rarely looked at is fetched without decoding it; stored again
/// unread, it is written as it was stored. It is kept like a property of the value's own type, and stands in
/// a class wherever that could: for storable types, and for `Codable` ones that are kept as JSON.
///
/// ```swift
/// @Stored struct Track { var name: String; var points: Lazy<[Point]> }
///
/// let track = try tracks.first()!       // decodes no point
/// let points = try track.points.value   // decodes them, once
/// try tracks.insert(Track(name: "home", points: Lazy(points)))
/// ```
///
/// Copies share what was converted. Any thread may read it. Threads that read it first at the same time may
/// each convert it; all of them get the value of the one that was done first. What is wrong with a stored
/// value shows where it is read.
public struct Lazy<Value: Sendable>: Sendable {
  private let content: Content

  /// The stored value, or what it was converted to; shared by copies.
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
        // Outside the lock: the conversion is the application's, and may read this very value.
        let value = try convert(stored)
        return state.withLock { state in
          // Another thread, or the conversion itself, may have been first.
          if case .value(let first) = state { return first }
          state = .value(value)
          return value
        }
      }
    }
  }

  /// A value that is there already.
  public init(_ value: Value) {
    content = Content(.value(value))
  }

  init(stored: StoredValue, convert: @escaping @Sendable (StoredValue) throws -> Value) {
    content = Content(.stored(stored, convert: convert))
  }

  /// The value: converted at the first read, and the same from then on. To change it, make another
  /// `Lazy`.
  ///
  /// - Throws: ``VaultError`` `.invalidValue` where what is stored is no value of the type, at every read;
  ///   what a conversion of the type's own throws.
  public var value: Value { get throws { try content.value() } }

  /// Whether the value is there, because it was read or given.
  public var isConverted: Bool { stored == nil }

  /// What is stored and was not converted yet.
  fileprivate var stored: StoredValue? {
    if case .stored(let stored, _) = content.current { stored } else { nil }
  }
}

// MARK: - Storable values

extension Lazy: SQLExpressible where Value: StorableValue {}

extension Lazy: StorableValue where Value: StorableValue {
  /// The type of the value.
  public static var propertyType: PropertyType { Value.propertyType }

  /// Whether the value may be `nil`.
  public static var isOptional: Bool { Value.isOptional }

  /// Takes what the column holds, as it is.
  public static func read(from row: Row, at position: Int) throws -> Lazy {
    Lazy(stored: row.storedValue(at: position)) { stored in
      try SQLRow(columns: lazyColumn, values: [stored]).read(Value.self, at: 0)
    }
  }

  /// Binds what was stored where that was not converted, else the value.
  public func bind(to binder: Binder, at position: Int) throws {
    if let stored {
      stored.bind(to: binder, at: position)
    } else {
      try value.bind(to: binder, at: position)
    }
  }

  /// What was stored where that was not converted, else the value as the file keeps it.
  public var storedValue: StoredValue { get throws { try stored ?? value.storedValue } }
}

/// What errors call the column of a value that is read later.
private let lazyColumn = SQLColumns(["of a lazy value"])

// MARK: - Composites

extension Lazy where Value: Codable {
  fileprivate init(json row: Row, at position: Int) {
    self.init(stored: row.storedValue(at: position)) { stored in
      try SQLRow(columns: lazyColumn, values: [stored]).read(json: Value.self, at: 0)
    }
  }

  var storedJSON: StoredValue { get throws { try stored ?? .text(canonicalJSON(value)) } }
}

// As for other composites: settled when the class is compiled, and only where no storable type is meant.
extension Row {
  /// Reads a property that is kept as canonical JSON and decoded later.
  @_disfavoredOverload
  public func value<T: Codable>(at position: Int, as type: Lazy<T>.Type = Lazy<T>.self) throws
    -> Lazy<T>
  {
    Lazy(json: self, at: position)
  }

  /// Reads an optional property that is kept as canonical JSON and decoded later.
  @_disfavoredOverload
  public func value<T: Codable>(
    at position: Int, as type: Lazy<T>?.Type = Lazy<T>?.self
  ) throws -> Lazy<T>? {
    isNull(at: position) ? nil : Lazy(json: self, at: position)
  }
}

extension Binder {
  /// Binds a property that is kept as canonical JSON; what was not decoded as it was stored.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where JSON cannot keep the value.
  @_disfavoredOverload
  public func bind<T: Codable>(_ value: Lazy<T>, at position: Int) throws {
    if isUnwanted(position) { return }
    try value.storedJSON.bind(to: self, at: position)
  }

  /// Binds an optional property that is kept as canonical JSON; no value for `nil`.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where JSON cannot keep the value.
  @_disfavoredOverload
  public func bind<T: Codable>(_ value: Lazy<T>?, at position: Int) throws {
    if isUnwanted(position) { return }
    guard let value else { return bindNull(at: position) }
    try value.storedJSON.bind(to: self, at: position)
  }
}

// MARK: - Comparing and coding

extension Lazy: Equatable where Value: Equatable {
  /// Whether the values are equal. What is stored alike and was not read is equal without a conversion;
  /// what cannot be converted equals only that.
  public static func == (a: Lazy, b: Lazy) -> Bool {
    if a.content === b.content { return true }
    if let first = a.stored, first == b.stored { return true }
    guard let first = try? a.value, let second = try? b.value else { return false }
    return first == second
  }
}

extension Lazy: Hashable where Value: Hashable {
  /// Hashes the value, which is converted for that; what cannot be, as it is stored.
  public func hash(into hasher: inout Hasher) {
    if let value = try? value { hasher.combine(value) } else { hasher.combine(stored) }
  }
}

extension Lazy: Encodable where Value: Encodable {
  /// Encodes the value, which is converted for that.
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Lazy: Decodable where Value: Decodable {
  /// Decodes a value, at once.
  public init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}

extension Lazy: CustomStringConvertible, CustomReflectable {
  /// The type. Values are never shown.
  public var description: String { "Lazy<\(Value.self)>" }

  /// Nothing: what prints an object's parts neither shows the value nor has it converted.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
