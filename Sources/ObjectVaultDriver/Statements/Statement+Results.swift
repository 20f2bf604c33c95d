extension Statement {
  /// Returns the results of `make` for all rows.
  package func rows<R>(_ make: (Row) throws -> R) throws -> [R] {
    var results: [R] = []
    while try step() { results.append(try make(row)) }
    return results
  }

  /// Returns the integer in the only row.
  package func count() throws -> Int { try step() ? Int(row.integer(at: 0)) : 0 }

  /// Returns the integer in the first row; `nil` if there is no row, or it is NULL.
  package func integer() throws -> Int64? {
    try step() && !row.isNull(at: 0) ? row.integer(at: 0) : nil
  }

  /// Returns whether the integer in the only row is not zero.
  package func holds() throws -> Bool { try step() && row.integer(at: 0) != 0 }
}
