/// A result that is not what the program promises.
struct Unexpected: Error, CustomStringConvertible {
  let description: String
}

/// Prints what was found, and throws where that is not what was expected.
func check<Value: Equatable>(_ what: String, _ found: Value?, _ expected: Value?) throws {
  let shown = found.map { "\($0)" } ?? "nothing"
  guard found == expected else {
    let promised = expected.map { "\($0)" } ?? "nothing"
    throw Unexpected(description: "\(what): expected \(promised), found \(shown)")
  }
  print("\(what): \(shown)")
}
