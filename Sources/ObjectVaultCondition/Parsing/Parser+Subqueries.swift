extension Parser {
  /// Returns the number of matching objects; the current token is the opening parenthesis.
  mutating func subquery(at place: TextPlace) throws(ConditionError) -> Operand {
    let opening = offset
    try deepen()
    try advance()
    let pathPlace = TextPlace(offset)
    guard case .path(let path) = try operand().kind, path.aggregate == nil else {
      throw lexer.error(
        "SUBQUERY needs the path of an association first, such as SUBQUERY(students, $s, "
          + "$s.age > 5).@count.",
        at: pathPlace.offset ?? opening)
    }
    try skipComma("the path")
    guard case .namedArgument(let variable) = current else {
      throw error(
        "Expected a variable such as $s, but found \(current.description). Write one after the "
          + "path.")
    }
    guard !variables.contains(where: { $0.name == variable }) else {
      throw error(
        "The variable $\(variable) already belongs to an enclosing SUBQUERY. Use another name.")
    }
    try advance()
    try skipComma("the variable")
    variables.append((variable, path.names))
    defer { variables.removeLast() }
    let test = try disjunction()
    try close(opening, expecting: "AND, OR or ')'", hint: current.hint)
    guard current == .dot else { throw error(Self.needsCount) }
    try advance()
    guard current == .aggregate(.count) else { throw error(Self.needsCount) }
    try advance()
    return Operand(.subquery(Operand(.path(path), at: pathPlace), test), at: place)
  }

  private static let needsCount =
    "A SUBQUERY is counted. Write .@count after its parentheses. To compare other values, write ANY "
    + "students (students.age > 5)."

  private mutating func skipComma(_ part: String) throws(ConditionError) {
    guard current == .comma else {
      throw error("Expected ',' after \(part) of SUBQUERY, but found \(current.description).")
    }
    try advance()
  }

  /// Returns a path that begins at the object of a variable.
  mutating func path(fromVariable name: String) throws(ConditionError) -> PropertyPath {
    let start = offset
    let names = variables.last { $0.name == name }?.names ?? []
    var path = PropertyPath(names, places: names.map { _ in TextPlace(offset) })
    path.variableLength = names.count
    try advance()
    try continuePath(&path)
    if path.aggregate != nil, path.names.count == names.count {
      throw lexer.error(
        "$\(name) is one object. Write an association after it, such as $\(name).friends.@count.",
        at: start)
    }
    return path
  }
}
