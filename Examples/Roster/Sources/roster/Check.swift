/// An error for an unexpected result.
struct Unexpected: Error, CustomStringConvertible {
  let description: String
}

/// Prints the value, and throws an error if it is not the expected one.
func check<Value: Equatable>(_ what: String, _ found: Value?, _ expected: Value?) throws {
  let shown = found.map { "\($0)" } ?? "nothing"
  guard found == expected else {
    let promised = expected.map { "\($0)" } ?? "nothing"
    throw Unexpected(description: "\(what): expected \(promised), found \(shown)")
  }
  print("\(what): \(shown)")
}
