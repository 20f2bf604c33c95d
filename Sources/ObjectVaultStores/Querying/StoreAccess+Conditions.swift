import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

extension StoreAccess {
  /// Returns the parts of a query with the condition in a text.
  @usableFromInline
  func parts(_ format: String, arguments: [Any?]) -> QueryParts {
    do {
      return QueryParts(condition: try condition(format, arguments: arguments, named: [:]))
    } catch {
      return QueryParts.none.failing(error)
    }
  }

  /// Returns the condition in a text, checked against the class.
  func condition(
    _ format: String, arguments: [Any?], named: [String: Any?]
  ) throws -> QueryCondition {
    try VaultError.mappingConditions {
      let known = try table.plans.condition(format)
      if let converters = table.converters {
        let (arguments, named) = try converters.arguments(arguments, named, of: known.tree)
        return try known.condition(of: self, arguments, named, text: format)
      }
      if named.isEmpty,
        let formed = try known.formed(
          count: arguments.count, { try ConditionArgument(arguments[$0]) })
      {
        return formed
      }
      return try known.condition(
        of: self, arguments.map { try ConditionArgument($0) },
        named.isEmpty ? [:] : named.mapValues { try ConditionArgument($0) }, text: format)
    }
  }

  /// A checker that resolves conditions against the class.
  var checker: ConditionChecker {
    checker(of: ClassSchema(description: table.description, graph: classGraph))
  }

  /// Returns a checker that resolves conditions against a schema, with the settings of the database.
  func checker(of schema: some ConditionSchema) -> ConditionChecker {
    ConditionChecker(
      schema: schema, folding: .standard,
      matchesRestriction: link.handle.options.allowsRegularExpressions ? nil : .vault)
  }
}
