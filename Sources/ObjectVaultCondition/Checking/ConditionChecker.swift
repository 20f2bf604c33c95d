/// Checks conditions against a class: names, types, arguments.
package struct ConditionChecker: Sendable {
  let schema: any ConditionSchema
  let folding: TextFolding
  let allowsMatches: Bool

  /// - Parameters:
  ///   - schema: The class.
  ///   - folding: How `[c]` and `[d]` fold values.
  ///   - allowsMatches: Whether `MATCHES` may be used.
  package init(
    schema: any ConditionSchema, folding: TextFolding, allowsMatches: Bool = true
  ) {
    self.schema = schema
    self.folding = folding
    self.allowsMatches = allowsMatches
  }

  /// The condition with its names resolved and every value as the property stores it.
  ///
  /// - Parameters:
  ///   - condition: What to check.
  ///   - arguments: The values of `%@`, `?`, `%K` and the specifiers, in order.
  ///   - named: The values of `$name`.
  ///   - text: The text the condition came from, for the places of errors.
  /// - Throws: ``ConditionError``, or what making the canonical JSON of an argument throws.
  package func resolve(
    _ condition: Condition, arguments: [ConditionArgument] = [],
    named: [String: ConditionArgument] = [:], text: String? = nil
  ) throws -> ResolvedCondition {
    if condition.depth > Condition.maximumDepth {
      throw ConditionError(
        .limit, "The condition is nested more than \(Condition.maximumDepth) deep.")
    }
    let resolution = ConditionResolution(
      checker: self, arguments: arguments, named: named, text: text)
    let resolved = try resolution.resolve(condition)
    if let excess = resolved.excess {
      throw ConditionError(.limit, excess, at: text == nil ? nil : 0, in: text)
    }
    let needed = condition.argumentCount
    guard arguments.count <= needed else {
      throw ConditionError(
        .arguments,
        "There are more arguments than placeholders: \(needed) needed, \(arguments.count) given.",
        at: text?.utf8.count, in: text)
    }
    return resolved
  }

  /// The value that a path leads to, as a sort or an argument of `%K` spells it: the name of a
  /// property, or names between dots.
  ///
  /// - Throws: ``ConditionError``, or what getting to know a class behind an association throws.
  package func value(named spelling: String) throws -> ValueShape {
    guard let path = path(spelling) else {
      throw ConditionError(.arguments, "An aggregate stands in the path where it cannot.")
    }
    return try PathResolution(path, from: schema, place: TextPlace(), in: nil).value()
  }

  func path(_ spelling: String) -> PropertyPath? {
    // A property's name may have dots in it.
    schema.property(named: spelling) == nil
      ? PropertyPath(spelling: spelling) : PropertyPath([spelling])
  }
}
