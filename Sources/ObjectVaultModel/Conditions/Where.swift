import ObjectVaultCondition
import ObjectVaultDriver

/// A condition on a property with a name that is known only at run time.
///
/// ```swift
/// let wanted = Where("age").isAtLeast(18).and("name").hasPrefix("L")
/// try students.where(wanted.or("seat").isNil).all()
/// ```
///
/// Values are bound. Properties and value types are checked when you query a store. `and` and `or`
/// join the following condition with the whole preceding chain.
public struct Where: Sendable {
  private let property: ConditionOperand
  private var quantifier: Comparison.Quantifier?
  /// The preceding condition, and whether the two are joined with OR.
  private var earlier: (condition: ObjectCondition, isOr: Bool)?

  /// Creates a condition on a property, or on a path across associations that leads to one value.
  public init(_ property: String) {
    guard let path = PropertyPath(spelling: property) else {
      self.property = ConditionOperand(
        failure: VaultError(
          .invalidCondition,
          "A path of the condition has an aggregate at a position where none is allowed. Write one "
            + "aggregate at its end."))
      return
    }
    self.property = ConditionOperand(Operand(.path(path)), form: .named)
  }

  init(_ property: String, after condition: ObjectCondition, isOr: Bool) {
    self.init(property)
    earlier = (condition, isOr)
  }

  /// Returns a condition that at least one of the objects at the end of a path matches.
  public static func any(_ path: String) -> Where { Where(path, .any) }

  /// Returns a condition that all objects at the end of a path match.
  public static func all(_ path: String) -> Where { Where(path, .all) }

  /// Returns a condition that none of the objects at the end of a path matches.
  public static func none(_ path: String) -> Where { Where(path, .none) }

  private init(_ path: String, _ quantifier: Comparison.Quantifier) {
    self.init(path)
    self.quantifier = quantifier
  }

  // MARK: Comparisons

  /// Returns a condition that the property equals a value, or that both are nil.
  ///
  /// The value can be another property: `Where("note")`.
  public func isEqual(to value: Any?, _ options: TextComparison = []) -> ObjectCondition {
    compare(.equal, options, value)
  }

  /// Returns a condition that the property differs from a value; nil differs from all other values.
  public func isNotEqual(to value: Any?, _ options: TextComparison = []) -> ObjectCondition {
    compare(.notEqual, options, value)
  }

  /// Returns a condition that the property is less than a value.
  public func isLess(than value: Any) -> ObjectCondition { compare(.less, [], value) }

  /// Returns a condition that the property is at most a value.
  public func isAtMost(_ value: Any) -> ObjectCondition { compare(.lessOrEqual, [], value) }

  /// Returns a condition that the property is greater than a value.
  public func isGreater(than value: Any) -> ObjectCondition { compare(.greater, [], value) }

  /// Returns a condition that the property is at least a value.
  public func isAtLeast(_ value: Any) -> ObjectCondition { compare(.greaterOrEqual, [], value) }

  /// The condition that the property is nil.
  public var isNil: ObjectCondition { compare(.equal, [], nil) }

  /// The condition that the property is not nil.
  public var isNotNil: ObjectCondition { compare(.notEqual, [], nil) }

  /// The condition that the property is true.
  public var isTrue: ObjectCondition { compare(.equal, [], true) }

  /// The condition that the property is false.
  public var isFalse: ObjectCondition { compare(.equal, [], false) }

  // MARK: Lists and ranges

  /// Returns a condition that the property is between two inclusive bounds.
  public func isBetween(_ lowest: Any, _ highest: Any) -> ObjectCondition {
    if lowest is CurrentDate || highest is CurrentDate {
      return finished(property.between(Self.operand(lowest), Self.operand(highest)))
    }
    return finished(property.between(lowest, highest))
  }

  /// Returns a condition that the property equals one of the values, which can contain nil.
  ///
  /// The number of values is not limited.
  public func isIn(_ values: [Any?]) -> ObjectCondition { finished(property.among(values)) }

  /// Returns a condition that the property equals none of the values.
  public func isNotIn(_ values: [Any?]) -> ObjectCondition {
    finished(property.among(values), negated: true)
  }

  // MARK: Text

  /// Returns a condition that the text contains another text.
  public func contains(_ part: String, _ options: TextComparison = []) -> ObjectCondition {
    search(.contains, options, part)
  }

  /// Returns a condition that the text has a prefix.
  public func hasPrefix(_ prefix: String, _ options: TextComparison = []) -> ObjectCondition {
    search(.beginsWith, options, prefix)
  }

  /// Returns a condition that the text has a suffix.
  public func hasSuffix(_ suffix: String, _ options: TextComparison = []) -> ObjectCondition {
    search(.endsWith, options, suffix)
  }

  /// Returns a condition that the text matches a LIKE pattern.
  ///
  /// `%` matches any text, `_` any single scalar, and A-Z equals a-z.
  public func isLike(_ pattern: String, _ options: TextComparison = []) -> ObjectCondition {
    search(.like, options, pattern)
  }

  /// Returns a condition that the whole text matches a Swift regular expression.
  ///
  /// The pattern can have at most 1,000 characters.
  public func matches(_ pattern: String, _ options: TextComparison = []) -> ObjectCondition {
    search(.matches, options, pattern)
  }

  // MARK: Parts

  private func compare(
    _ op: ComparisonOperator, _ options: TextComparison, _ value: Any?
  ) -> ObjectCondition {
    if let other = value as? Where {
      return finished(property.compare(op, options.options, with: other.property))
    }
    if let now = value as? CurrentDate {
      return finished(property.compare(op, options.options, with: now.operand))
    }
    return finished(property.compare(op, options.options, value: value))
  }

  /// Returns a bound of a range that contains the time of the execution.
  private static func operand(_ bound: Any) -> ConditionOperand {
    (bound as? CurrentDate)?.operand ?? ConditionOperand(value: bound)
  }

  private func search(
    _ op: TextOperator, _ options: TextComparison, _ text: String
  ) -> ObjectCondition {
    finished(property.search(op, options.options, value: text))
  }

  private func finished(_ test: ObjectCondition, negated: Bool = false) -> ObjectCondition {
    var test = test
    var negated = negated
    if var quantifier, case .comparison(var comparison) = test.tree {
      if negated {
        // ANY NOT IN is NOT (ALL IN), ALL NOT IN is NONE IN, and NONE NOT IN is ALL IN.
        negated = quantifier == .any
        quantifier = quantifier == .all ? .none : .all
      }
      comparison.quantifier = quantifier
      test.tree = .comparison(comparison)
    }
    if negated { test = !test }
    guard let earlier else { return test }
    return earlier.isOr ? earlier.condition || test : earlier.condition && test
  }
}

extension ObjectCondition {
  /// Returns a chain that requires this condition and one on another property.
  public func and(_ property: String) -> Where { Where(property, after: self, isOr: false) }

  /// Returns a chain that requires this condition or one on another property.
  public func or(_ property: String) -> Where { Where(property, after: self, isOr: true) }

  /// Returns a condition that requires both conditions.
  public func and(_ other: ObjectCondition) -> ObjectCondition { self && other }

  /// Returns a condition that requires at least one of the conditions.
  public func or(_ other: ObjectCondition) -> ObjectCondition { self || other }

  /// The negated condition.
  public var negated: ObjectCondition { !self }
}
