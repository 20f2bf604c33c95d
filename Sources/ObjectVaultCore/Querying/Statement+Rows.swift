import ObjectVaultEngine

extension Statement {
  /// What is made of every row.
  func rows<R>(_ make: (Row) throws -> R) throws -> [R] {
    var results: [R] = []
    while try step() { results.append(try make(row)) }
    return results
  }

  /// The number that the one row is.
  func count() throws -> Int { try step() ? Int(row.integer(at: 0)) : 0 }

  /// Whether the number that the one row is says so.
  func holds() throws -> Bool { try step() && row.integer(at: 0) != 0 }
}
