extension ConditionResolution {
  /// The objects for which a condition is tested one at a time.
  struct Scope {
    /// The quantifier, or `SUBQUERY`.
    let word: String
    /// The names of the path from the queried object that lead to the objects.
    ///
    /// `nil` for a comparison with a quantifier, in which no other path refers to the objects.
    let names: [String]?
  }

  /// Returns a condition on any, all or none of the objects at the end of a path.
  func resolve(
    _ quantifier: Comparison.Quantifier, _ operand: Operand, _ test: Condition
  ) throws -> ResolvedCondition {
    let (iteration, inside) = try inside(quantifier.rawValue, operand)
    return .quantified(quantifier, iteration, try inside.resolve(test))
  }

  /// Returns the number of the objects at the end of a path that satisfy a condition.
  func matchCount(_ operand: Operand, _ test: Condition) throws -> ValueShape {
    let word = "SUBQUERY"
    let (iteration, inside) = try inside(word, operand)
    let names = iteration.steps.map(\.name).joined(separator: ".")
    return ValueShape(
      .matchCount(MatchCount(of: iteration, try inside.resolve(test))),
      name: "\(word)(\(names)).@count")
  }

  /// Returns the objects at the end of a path, and the resolution of the condition on them.
  private func inside(
    _ word: String, _ operand: Operand
  ) throws -> (Iteration, ConditionResolution) {
    let path = try iteratedPath(word, operand)
    if let outer = scopes.first(where: { $0.names == path.names }) {
      throw error(
        .unsupportedOperator,
        "'\(path.spelling)' is one object inside \(outer.word), so \(word) cannot iterate over it. "
          + "Remove one of them.",
        at: operand)
    }
    let followed = try followedInside(path, operand)
    let (iteration, value) = try followed.elements(word, level: scopes.count + 1)
    // The part after the last to-many association is a property and not one of the objects.
    guard followed.namesOfElements == path.names.count else {
      throw error(
        .notAnAssociation,
        "'\(value.name)' does not lead to many objects, but \(word) before "
          + "parentheses needs a path that ends at them. Write the path of the association.",
        at: operand)
    }
    return (iteration, try iterating(word, path.names, operand))
  }

  /// Returns the resolution inside of another iteration.
  ///
  /// - Parameters:
  ///   - word: The quantifier, or `SUBQUERY`.
  ///   - names: The names that lead to the objects, if paths can refer to them.
  ///   - operand: The path.
  /// - Returns: The resolution.
  /// - Throws: `.limit` if too many iterations are nested.
  func iterating(
    _ word: String, _ names: [String]?, _ operand: Operand
  ) throws -> ConditionResolution {
    guard scopes.count < Iteration.maximumDepth else {
      throw error(
        .limit,
        "ANY, ALL, NONE and SUBQUERY are nested more than \(Iteration.maximumDepth) levels deep. "
          + "Simplify the condition.",
        at: operand)
    }
    var inside = self
    inside.scopes.append(Scope(word: word, names: names))
    return inside
  }

  /// Returns the path after a quantifier.
  func iteratedPath(_ word: String, _ operand: Operand) throws -> PropertyPath {
    switch operand.kind {
    case .path(let path): return path
    case .pathArgument(let position): return try self.path(argument: position, operand)
    case .literal, .argument, .namedArgument, .arithmetic, .cased, .now, .subquery:
      throw error(
        .typeMismatch, "\(word) needs a path across an association. Write the name of one.",
        at: operand)
    }
  }

  /// Returns the one value at the end of a path.
  ///
  /// If the path crosses an iterated association, the value is that of the object being tested.
  func value(of path: PropertyPath, _ operand: Operand) throws -> ValueShape {
    let followed = try followedInside(path, operand)
    guard path.aggregate != nil else { return try followed.value() }
    do {
      return try followed.value()
    } catch {
      // Inside `ANY students (…)`, `students.@count` is the number of all of them.
      for start in starts(of: path).dropFirst() {
        if let value = try? self.followed(path, operand, start: start).value() { return value }
      }
      throw error
    }
  }

  /// Returns the objects at which the values of a path can begin, the innermost one first.
  private func starts(of path: PropertyPath) -> [(origin: ValueShape.Origin, steps: Int)] {
    var starts: [(origin: ValueShape.Origin, steps: Int)] = [(.object, 0)]
    for (position, scope) in scopes.enumerated() {
      if let names = scope.names, path.isBehind(names) {
        starts.append((.element(position + 1), names.count))
      }
    }
    return starts.filter { $0.steps >= path.variableLength }.sorted { $0.steps > $1.steps }
  }

  /// Resolves a path from the object of the innermost iteration that it crosses.
  ///
  /// A path that is relative to the iterated objects without a variable is rejected with a hint.
  func followedInside(_ path: PropertyPath, _ operand: Operand) throws -> PathResolution {
    if let start = starts(of: path).first, start.steps > 0 {
      return try followed(path, operand, start: start)
    }
    do {
      return try followed(path, operand)
    } catch let error as ConditionError where error.code == .unknownProperty {
      guard let scope = scopes.last(where: { $0.names != nil }), let names = scope.names else {
        throw error
      }
      let inside = PropertyPath(names + path.names, aggregate: path.aggregate)
      guard (try? followed(inside, operand)) != nil else { throw error }
      throw self.error(
        .unknownProperty,
        "\(checker.schema.className) has no property '\(path.spelling)'. In these parentheses, "
          + "write '\(inside.spelling)' for the property of the \(scope.tested) object.",
        at: operand)
    }
  }
}

extension ConditionResolution.Scope {
  fileprivate var tested: String { word == "SUBQUERY" ? "counted" : "quantified" }
}
