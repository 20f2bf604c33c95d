/// A result that is not what the program promises.
struct Unexpected: Error, CustomStringConvertible {
  let description: String
}

/// Prints what was found, and throws where that is not what was expected.
func check<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) throws {
  guard found == expected else {
    throw Unexpected(description: "\(what): expected \(expected), found \(found)")
  }
  print("\(what): \(found)")
}
