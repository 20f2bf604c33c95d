import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

/// A column of the rows of a query, with the type of its values.
struct ReadColumn {
  let type: PropertyType
  /// Whether the engine computes the values, so that their type is not certain.
  let isComputed: Bool
  let converter: ValueConverter?

  /// Creates the column of a value.
  init(_ value: ValueShape, _ converter: ValueConverter?) {
    self.init(value.type, isComputed: value.isComputed, converter)
  }

  /// Creates the column of a key or an aggregate of groups.
  init(_ column: GroupColumn) {
    // A sum of numbers of type Float is rounded to a Float.
    let isRounded = column.function != nil && column.source?.type == .float
    self.init(
      isRounded ? .float : column.shape.type, isComputed: column.source?.isComputed ?? false,
      column.converter)
  }

  private init(_ type: PropertyType, isComputed: Bool, _ converter: ValueConverter?) {
    self.type = type
    self.isComputed = isComputed
    self.converter = converter
  }

  /// Returns a function that reads the column as a type.
  ///
  /// - Parameters:
  ///   - requested: The type of the property, or a type that has the stored values.
  ///   - position: The position of the column.
  /// - Returns: The function, which throws `.invalidValue` for a value that the type does not have.
  func reader<V: StorableValue>(of requested: V.Type, at position: Int) -> (Row) throws -> V {
    if let read = converter?.reader(of: V.self) { return { try read($0, position) } }
    let other = V.propertyType
    if isComputed || other.family != type.family || other == .float && type != .float {
      return { try $0.checkedValue(V.self, at: position) }
    }
    return { try V.read(from: $0, at: position) }
  }

  /// Returns a function that reads a row as a tuple.
  ///
  /// - Parameters:
  ///   - a: The type of the first value.
  ///   - types: The types of the other values.
  ///   - columns: The columns of the values.
  /// - Returns: The function.
  /// - Throws: `.invalidArgument` if the number of types differs from the number of columns.
  static func tuple<A: StorableValue, each Value: StorableValue>(
    _ a: A.Type, _ types: repeat (each Value).Type, of columns: [ReadColumn]
  ) throws(VaultError) -> (Row) throws -> (A, repeat each Value) {
    var count = 1
    for _ in repeat (each Value).self { count += 1 }
    guard columns.count == count else {
      throw VaultError(
        .invalidArgument,
        "The query returns \(columns.count) values, but \(count) types were passed. Pass one type "
          + "for each value.")
    }
    var position = 0
    func next<V: StorableValue>(_ type: V.Type) -> (Row) throws -> V {
      defer { position += 1 }
      return columns[position].reader(of: V.self, at: position)
    }
    let first = next(A.self)
    let others = (repeat next((each Value).self))
    return { row in (try first(row), repeat try (each others)(row)) }
  }
}

extension ValueShape {
  /// Whether the engine computes the value from others.
  fileprivate var isComputed: Bool { aggregate != nil || computation != nil }
}
