extension ConditionResolution {
  /// The objects for which a condition is tested one at a time.
  struct Scope {
    let quantifier: Comparison.Quantifier
    let names: [String]
    let steps: [AssociationStep]
  }

  /// Returns a condition on any, all or none of the objects at the end of a path.
  func resolve(
    _ quantifier: Comparison.Quantifier, _ operand: Operand, _ test: Condition
  ) throws -> ResolvedCondition {
    let path = try quantifiedPath(quantifier, operand)
    let (steps, value) = try followed(path, operand).elements(quantifier)
    // The part after the last to-many association is a property and not one of the objects.
    guard steps.count == path.names.count else {
      throw error(
        .notAnAssociation,
        "'\(value.name)' does not lead to many objects, but \(quantifier.rawValue) before "
          + "parentheses needs a path that ends at them. Write the path of the association.",
        at: operand)
    }
    var inside = self
    inside.scope = Scope(quantifier: quantifier, names: path.names, steps: steps)
    return .quantified(quantifier, steps, try inside.resolve(test))
  }

  /// Returns the path after a quantifier.
  func quantifiedPath(
    _ quantifier: Comparison.Quantifier, _ operand: Operand
  ) throws -> PropertyPath {
    if let scope {
      throw error(
        .unsupportedOperator,
        "\(quantifier.rawValue) is inside \(scope.quantifier.rawValue), but only one quantifier "
          + "can iterate at a time. Remove one of them.",
        at: operand)
    }
    switch operand.kind {
    case .path(let path): return path
    case .pathArgument(let position): return try self.path(argument: position, operand)
    case .literal, .argument, .namedArgument, .arithmetic, .cased, .now:
      throw error(
        .typeMismatch,
        "\(quantifier.rawValue) needs a path across an association. Write the name of one.",
        at: operand)
    }
  }

  /// Returns the one value at the end of a path.
  ///
  /// If the path crosses the quantified association, the value is that of the object being tested.
  func value(of path: PropertyPath, _ operand: Operand) throws -> ValueShape {
    guard let scope else { return try followed(path, operand).value() }
    let followed = try followedInside(scope, path, operand)
    guard path.isBehind(scope.names) else { return try followed.value() }
    if path.aggregate != nil {
      let value = try followed.value()
      // It would be one value of all objects; for the values of one of them there is no syntax.
      if value.stepsOfAggregate.elements.count == scope.steps.count { return value }
    } else {
      let (steps, value) = try followed.elements(scope.quantifier)
      if steps.count == scope.steps.count { return value }
    }
    throw error(
      .manyObjects,
      "'\(path.spelling)' leads to many objects for each object of \(scope.quantifier.rawValue), "
        + "and one condition cannot query both. Write a path that leads to one value.",
      at: operand)
  }

  /// Resolves a path in the parentheses after a quantifier.
  ///
  /// A path that is relative to the quantified objects, as in subqueries of NSPredicate, is
  /// rejected with a hint.
  private func followedInside(
    _ scope: Scope, _ path: PropertyPath, _ operand: Operand
  ) throws -> PathResolution {
    do {
      return try followed(path, operand)
    } catch let error as ConditionError where error.code == .unknownProperty {
      let inside = PropertyPath(scope.names + path.names, aggregate: path.aggregate)
      guard (try? followed(inside, operand)) != nil else { throw error }
      throw self.error(
        .unknownProperty,
        "\(checker.schema.className) has no property '\(path.spelling)'. In these parentheses, "
          + "write '\(inside.spelling)' for the property of the quantified object.",
        at: operand)
    }
  }
}
