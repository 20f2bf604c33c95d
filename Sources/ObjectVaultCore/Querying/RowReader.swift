import ObjectVaultEngine

/// Reads the columns of a row one after another.
struct RowReader {
  let row: Row
  private let converters: [ValueConverter?]
  private var position = 0

  /// - Parameter converters: Those of the columns; none where no column has one.
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

  /// What reads the values of a row as a tuple.
  ///
  /// - Parameter converters: Those of the values.
  /// - Throws: `.invalidArgument` where there are not as many types as values.
  static func tuple<A: StorableValue, each Value: StorableValue>(
    _ a: A.Type, _ types: repeat (each Value).Type, of names: [String],
    _ converters: [ValueConverter?]
  ) throws(VaultError) -> (Row) throws -> (A, repeat each Value) {
    var count = 1
    for _ in repeat (each Value).self { count += 1 }
    guard names.count == count else {
      throw VaultError(
        .invalidArgument,
        "There are \(names.count) values and \(count) types to read them as. Give one type for each "
          + "value.")
    }
    let converters = converters.contains { $0 != nil } ? converters : []
    return { row in
      var reader = RowReader(row, converters)
      return (try reader.next(A.self), repeat try reader.next((each Value).self))
    }
  }
}
