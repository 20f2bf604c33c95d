internal import ObjectVaultCore

/// A condition as text for the vault, with its selection in the model.
struct ModelCondition {
  var format: String
  var arguments: [Any?]
  var holds: (ModelState, ModelRow) -> Bool

  /// Returns a condition on objects of a class, with one to four comparisons.
  static func random(
    on key: String, in state: ModelState, depth: Int = 2, _ random: inout SeededGenerator
  ) -> ModelCondition {
    guard depth > 0, random.oneIn(2) else { return comparison(on: key, in: state, &random) }
    let first = self.random(on: key, in: state, depth: depth - 1, &random)
    let second = self.random(on: key, in: state, depth: depth - 1, &random)
    let arguments = first.arguments + second.arguments
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      return ModelCondition(
        format: "(\(first.format)) && (\(second.format))", arguments: arguments
      ) { first.holds($0, $1) && second.holds($0, $1) }
    case 1:
      return ModelCondition(
        format: "(\(first.format)) || (\(second.format))", arguments: arguments
      ) { first.holds($0, $1) || second.holds($0, $1) }
    default:
      return ModelCondition(format: "!(\(first.format))", arguments: first.arguments) {
        !first.holds($0, $1)
      }
    }
  }

  /// Returns a comparison of a property of the object or of an object that it refers to.
  private static func comparison(
    on key: String, in state: ModelState, _ random: inout SeededGenerator
  ) -> ModelCondition {
    if random.oneIn(4), let owned = counted(key, &random) { return owned }
    let type = state.type(key)
    var path = ""
    var last = type
    var steps: [ModelClass.Reference] = []
    while steps.count < 2, !last.references.isEmpty, random.oneIn(3) {
      let step = random.pick(last.references)
      steps.append(step)
      path += "\(step.name)."
      last = state.type(step.target)
    }
    let property = random.pick(last.properties)
    path += property.name
    let name = property.name
    let value: (ModelState, ModelRow) -> StoredValue = { state, row in
      var row: ModelRow? = row
      for step in steps { row = row.flatMap { state.row(step.target, $0[step.name]) } }
      return row?[name] ?? .null
    }
    if property.isOptional, random.oneIn(3) {
      return ModelCondition(format: "\(path) == nil", arguments: []) { value($0, $1).isNull }
    }
    return property.type == .string
      ? text(path, value, &random) : number(path, value, &random)
  }

  private static func number(
    _ path: String, _ value: @escaping (ModelState, ModelRow) -> StoredValue,
    _ random: inout SeededGenerator
  ) -> ModelCondition {
    let limit = Int64.random(in: 0...50, using: &random)
    let comparisons: [(String, (Int64?) -> Bool)] = [
      ("<", { $0.map { $0 < limit } ?? false }), (">=", { $0.map { $0 >= limit } ?? false }),
      ("==", { $0 == limit }), ("!=", { $0 != limit }),
    ]
    let (sign, compare) = random.pick(comparisons)
    return ModelCondition(format: "\(path) \(sign) %@", arguments: [limit]) { state, row in
      if case .integer(let number) = value(state, row) { compare(number) } else { compare(nil) }
    }
  }

  private static func text(
    _ path: String, _ value: @escaping (ModelState, ModelRow) -> StoredValue,
    _ random: inout SeededGenerator
  ) -> ModelCondition {
    let part = random.pick(["1", "12", "none", "sea", "wh", "e", "Été"])
    // Within the call of `pick`, the compiler would take ten seconds to infer the types.
    let comparisons: [(String, (String?) -> Bool)] = [
      ("CONTAINS", { $0?.contains(part) ?? false }),
      ("BEGINSWITH", { $0?.hasPrefix(part) ?? false }),
      ("==", { $0 == part }), ("!=", { $0 != part }), (">", { $0.map { $0 > part } ?? false }),
    ]
    let (word, compare) = random.pick(comparisons)
    // Greater-than compares UTF-8, which differs from Swift's order of strings beyond ASCII.
    let isByBytes = word == ">"
    return ModelCondition(format: "\(path) \(word) %@", arguments: [part]) { state, row in
      guard case .text(let text) = value(state, row) else { return compare(nil) }
      return isByBytes ? part.utf8.lexicographicallyPrecedes(text.utf8) : compare(text)
    }
  }

  /// Returns a condition on the number or the properties of the objects that a shelf or a book
  /// owns.
  private static func counted(_ key: String, _ random: inout SeededGenerator) -> ModelCondition? {
    let (property, child, reference): (String, String, String)
    switch key {
    case "Shelf": (property, child, reference) = ("books", "Book", "shelf")
    case "Book": (property, child, reference) = ("chapters", "Chapter", "book")
    default: return nil
    }
    let limit = Int64.random(in: 0...3, using: &random)
    if key == "Shelf", random.oneIn(2) {
      return ModelCondition(format: "ANY books.position > %@", arguments: [limit]) { state, row in
        state.rows(child).contains {
          if case .integer(let number) = $0["position"] {
            $0[reference] == row.id && number > limit
          } else {
            false
          }
        }
      }
    }
    return ModelCondition(format: "\(property).@count > %@", arguments: [limit]) { state, row in
      state.rows(child).filter { $0[reference] == row.id }.count > limit
    }
  }
}
