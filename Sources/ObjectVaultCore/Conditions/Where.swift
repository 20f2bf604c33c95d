import ObjectVaultCondition

/// A condition on a property whose name is known at run time.
///
/// ```swift
/// let wanted = Where("age").isAtLeast(18).and("name").hasPrefix("L")
/// try students.where(wanted.or("seat").isNil).all()
/// ```
///
/// Values are bound, and what they are compared with is checked when a store is asked. `and` and
/// `or` join what follows with all that stands before them.
public struct Where: Sendable {
  private let property: ConditionOperand
  private var quantifier: Comparison.Quantifier?
  /// What stands before, and whether one of the two is enough.
  private var earlier: (condition: ObjectCondition, isOr: Bool)?

  /// Asks of a property, or of a path across associations that leads to one value.
  public init(_ property: String) {
    guard let path = PropertyPath(spelling: property) else {
      self.property = ConditionOperand(
        failure: VaultError(
          .invalidCondition, "An aggregate stands in a path of the condition where it cannot."))
      return
    }
    self.property = ConditionOperand(Operand(.path(path)), form: .named)
  }

  init(_ property: String, after condition: ObjectCondition, isOr: Bool) {
    self.init(property)
    earlier = (condition, isOr)
  }

  /// Asks of the objects at the end of a path whether one passes.
  public static func any(_ path: String) -> Where { Where(path, .any) }

  /// Asks of the objects at the end of a path whether all pass.
  public static func all(_ path: String) -> Where { Where(path, .all) }

  /// Asks of the objects at the end of a path whether none passes.
  public static func none(_ path: String) -> Where { Where(path, .none) }

  private init(_ path: String, _ quantifier: Comparison.Quantifier) {
    self.init(path)
    self.quantifier = quantifier
  }

  // MARK: Comparisons

  /// It equals the value, or is nil where that is. The value may be a property: `Where("note")`.
  public func isEqual(to value: Any?, _ options: TextComparison = []) -> ObjectCondition {
    compare(.equal, options, value)
  }

  /// It differs from the value: nil differs from every other.
  public func isNotEqual(to value: Any?, _ options: TextComparison = []) -> ObjectCondition {
    compare(.notEqual, options, value)
  }

  /// It is less than the value.
  public func isLess(than value: Any) -> ObjectCondition { compare(.less, [], value) }

  /// It is the value or less.
  public func isAtMost(_ value: Any) -> ObjectCondition { compare(.lessOrEqual, [], value) }

  /// It is greater than the value.
  public func isGreater(than value: Any) -> ObjectCondition { compare(.greater, [], value) }

  /// It is the value or greater.
  public func isAtLeast(_ value: Any) -> ObjectCondition { compare(.greaterOrEqual, [], value) }

  /// It is nil.
  public var isNil: ObjectCondition { compare(.equal, [], nil) }

  /// It is not nil.
  public var isNotNil: ObjectCondition { compare(.notEqual, [], nil) }

  /// It is true.
  public var isTrue: ObjectCondition { compare(.equal, [], true) }

  /// It is false.
  public var isFalse: ObjectCondition { compare(.equal, [], false) }

  // MARK: Lists and ranges

  /// It lies between both, which belong to it.
  public func isBetween(_ lowest: Any, _ highest: Any) -> ObjectCondition {
    finished(property.between(lowest, highest))
  }

  /// It is one of the values, of which there may be any number; nil may be among them.
  public func isIn(_ values: [Any?]) -> ObjectCondition { finished(property.among(values)) }

  /// It is none of the values.
  public func isNotIn(_ values: [Any?]) -> ObjectCondition {
    finished(property.among(values), negated: true)
  }

  // MARK: Text

  /// The text has this one in it.
  public func contains(_ part: String, _ options: TextComparison = []) -> ObjectCondition {
    search(.contains, options, part)
  }

  /// The text begins with this one.
  public func hasPrefix(_ prefix: String, _ options: TextComparison = []) -> ObjectCondition {
    search(.beginsWith, options, prefix)
  }

  /// The text ends with this one.
  public func hasSuffix(_ suffix: String, _ options: TextComparison = []) -> ObjectCondition {
    search(.endsWith, options, suffix)
  }

  /// The text is like the pattern, in which `%` is any text and `_` any one scalar; A-Z equals a-z.
  public func isLike(_ pattern: String, _ options: TextComparison = []) -> ObjectCondition {
    search(.like, options, pattern)
  }

  /// The whole text matches a Swift regular expression of at most 1,000 characters.
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
    return finished(property.compare(op, options.options, value: value))
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
        // One does not pass where not all do, all do not where none does, none does not where all do.
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
  /// Joins all that stands before with a condition on another property: both hold.
  public func and(_ property: String) -> Where { Where(property, after: self, isOr: false) }

  /// Joins all that stands before with a condition on another property: one of them holds.
  public func or(_ property: String) -> Where { Where(property, after: self, isOr: true) }

  /// Both hold.
  public func and(_ other: ObjectCondition) -> ObjectCondition { self && other }

  /// One of them holds, or both.
  public func or(_ other: ObjectCondition) -> ObjectCondition { self || other }

  /// It does not hold.
  public var negated: ObjectCondition { !self }
}
