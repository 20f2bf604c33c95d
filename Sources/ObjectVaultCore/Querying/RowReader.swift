import ObjectVaultEngine

/// Reads the columns of a row one after another.
struct RowReader {
  let row: Row
  private var position = 0

  init(_ row: Row) { self.row = row }

  mutating func next<V: StorableValue>(_ type: V.Type) throws -> V {
    defer { position += 1 }
    return try V.read(from: row, at: position)
  }

  static func tuple<A: StorableValue, B: StorableValue, each Value: StorableValue>(
    _ a: A.Type, _ b: B.Type, _ types: repeat (each Value).Type, in row: Row
  ) throws -> (A, B, repeat each Value) {
    var reader = RowReader(row)
    return (
      try reader.next(A.self), try reader.next(B.self),
      repeat try reader.next((each Value).self)
    )
  }

  /// - Throws: `.invalidArgument` where there are not as many types as values.
  static func check(_ names: [String], typeCount: Int) throws(VaultError) {
    guard names.count == typeCount else {
      throw VaultError(
        .invalidArgument,
        "There are \(names.count) values and \(typeCount) types to read them as. Give one type for "
          + "each value.")
    }
  }
}
