import ObjectVaultDriver
import ObjectVaultModel

/// A reader of the columns of a row, one after another.
struct RowReader {
  let row: Row
  private let converters: [ValueConverter?]
  private var position = 0

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - row: The row to read.
  ///   - converters: The converters of the columns; empty if no column has one.
  init(_ row: Row, _ converters: [ValueConverter?] = []) {
    self.row = row
    self.converters = converters
  }

  mutating func next<V: StorableValue>(_ type: V.Type) throws -> V {
    defer { position += 1 }
    if !converters.isEmpty, let read = converters[position]?.reader(of: V.self) {
      return try read(row, position)
    }
    return try V.read(from: row, at: position)
  }

  /// Returns a closure that reads a row as a tuple.
  ///
  /// - Parameters:
  ///   - a: The type of the first value.
  ///   - types: The types of the other values.
  ///   - names: The names of the values.
  ///   - converters: The converters of the values.
  /// - Returns: The closure.
  /// - Throws: `.invalidArgument` if the number of types differs from the number of values.
  static func tuple<A: StorableValue, each Value: StorableValue>(
    _ a: A.Type, _ types: repeat (each Value).Type, of names: [String],
    _ converters: [ValueConverter?]
  ) throws(VaultError) -> (Row) throws -> (A, repeat each Value) {
    var count = 1
    for _ in repeat (each Value).self { count += 1 }
    guard names.count == count else {
      throw VaultError(
        .invalidArgument,
        "The query returns \(names.count) values, but \(count) types were passed. Pass one type "
          + "for each value.")
    }
    let converters = converters.contains { $0 != nil } ? converters : []
    return { row in
      var reader = RowReader(row, converters)
      return (try reader.next(A.self), repeat try reader.next((each Value).self))
    }
  }
}
