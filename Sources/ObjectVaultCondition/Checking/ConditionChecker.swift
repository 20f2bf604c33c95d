/// A reason that conditions cannot use `MATCHES`.
package enum MatchesRestriction: String, Sendable {
  case vault = "MATCHES is disabled for this vault. Use LIKE."
  case clause =
    "A clause of a statement cannot use MATCHES. Use LIKE, or a query of a store."
}

/// A checker of the names, types and arguments of conditions on a class.
package struct ConditionChecker: Sendable {
  let schema: any ConditionSchema
  let folding: TextFolding
  let matchesRestriction: MatchesRestriction?

  /// Creates a checker for a class.
  ///
  /// - Parameters:
  ///   - schema: The class.
  ///   - folding: The folding of values for `[c]` and `[d]`.
  ///   - matchesRestriction: The reason that `MATCHES` cannot be used; `nil` if it can.
  package init(
    schema: any ConditionSchema, folding: TextFolding,
    matchesRestriction: MatchesRestriction? = nil
  ) {
    self.schema = schema
    self.folding = folding
    self.matchesRestriction = matchesRestriction
  }

  /// Returns the condition with resolved names, and with every value as the property stores it.
  ///
  /// - Parameters:
  ///   - condition: The condition to check.
  ///   - arguments: The values of `%@`, `?`, `%K` and the specifiers, in order.
  ///   - named: The values of `$name`.
  ///   - text: The source text of the condition, for the positions of errors.
  /// - Returns: The resolved condition.
  /// - Throws: ``ConditionError``, and errors of creating the canonical JSON of an argument.
  package func resolve(
    _ condition: Condition, arguments: [ConditionArgument] = [],
    named: [String: ConditionArgument] = [:], text: String? = nil
  ) throws -> ResolvedCondition {
    if condition.depth > Condition.maximumDepth {
      throw ConditionError(
        .limit,
        "The condition is nested more than \(Condition.maximumDepth) levels deep. Simplify it.")
    }
    let resolution = ConditionResolution(
      checker: self, arguments: arguments, named: named, text: text)
    let resolved = try resolution.resolve(condition)
    try resolved.checkSealing()
    if let excess = resolved.excess {
      throw ConditionError(.limit, excess, at: text == nil ? nil : 0, in: text)
    }
    let needed = condition.argumentCount
    guard arguments.count <= needed else {
      throw ConditionError(
        .arguments,
        "The condition has \(needed) placeholders, but \(arguments.count) arguments were passed. "
          + "Pass one argument for each placeholder.",
        at: text?.utf8.count, in: text)
    }
    return resolved
  }

  /// Returns the value at the end of a path, as a sort or an argument of `%K` spells it.
  ///
  /// The path is the name of a property, or names separated by dots.
  ///
  /// - Parameter spelling: The path.
  /// - Returns: The value at the end of the path.
  /// - Throws: ``ConditionError``, and errors of loading the class behind an association.
  package func value(named spelling: String) throws -> ValueShape {
    guard let path = path(spelling) else {
      throw ConditionError(
        .arguments,
        "The path has an aggregate at a position where none is allowed. Write one aggregate at its "
          + "end.")
    }
    let value = try PathResolution(path, from: schema, place: TextPlace(), in: nil).value()
    try value.checkIsNotSealed()
    if value.readsMember {
      throw ConditionError(
        .unsupportedOperator,
        "'\(spelling)' is a part of a property stored as JSON, which only a condition can read. "
          + "Store it in a property of its own.")
    }
    return value
  }

  func path(_ spelling: String) -> PropertyPath? {
    // The name of a property may contain dots.
    schema.property(named: spelling) == nil
      ? PropertyPath(spelling: spelling) : PropertyPath([spelling])
  }
}
