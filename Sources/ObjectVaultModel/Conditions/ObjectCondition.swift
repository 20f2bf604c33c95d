package import ObjectVaultCondition
package import ObjectVaultDriver

/// A condition as a value: the common form of typed expressions, `#Predicate`, chains and text.
///
/// A condition contains names and values but no objects. A store checks it against its class when
/// you query the store. You can store, pass and join conditions, whatever form you wrote them in:
///
/// ```swift
/// var wanted = try ObjectCondition("age >= %@", 18)
/// if let name { wanted = wanted && Where("name").isEqual(to: name) }
/// let found = try students.where(wanted).all()
/// ```
///
/// `&&` has a higher precedence than `||`, as always in Swift.
public struct ObjectCondition: Sendable, ConditionConvertible {
  package var tree: Condition
  package var arguments: [ConditionArgument]
  package var named: [String: ConditionArgument]
  /// The error of a value that cannot be used; thrown when a store is queried.
  package var failure: VaultError?
  /// The complete text of the condition, for positions in errors.
  package var text: String?
  /// The size of the tree.
  private(set) var size: Size

  package init(
    _ tree: Condition, arguments: [ConditionArgument] = [],
    named: [String: ConditionArgument] = [:], failure: VaultError? = nil, text: String? = nil,
    size: Size = Size()
  ) {
    let excess = size.excess
    // A deeper tree could overflow the stack when it is traversed or released.
    self.tree = excess == nil ? tree : .constant(false)
    self.size = excess == nil ? size : Size()
    self.arguments = excess == nil ? arguments : []
    self.named = named
    self.failure = failure ?? excess
    self.text = text
  }

  /// Creates a condition from text.
  ///
  /// - Parameters:
  ///   - format: A condition; see `Guides/Conditions.md` for its grammar.
  ///   - arguments: The values of `%@`, in order. They are bound and never inserted into the text.
  /// - Throws: ``VaultError`` `.invalidCondition` with the position in the text, or for a wrong
  ///   number of arguments. An argument that cannot be stored in any property is reported when you
  ///   query a store.
  public init(_ format: String, _ arguments: Any?...) throws {
    try self.init(format, arguments: arguments)
  }

  /// Creates a condition from text.
  ///
  /// - Parameters:
  ///   - format: A condition.
  ///   - arguments: The values of `%@`, in order.
  ///   - named: The values of `$name`. Joined conditions share them: a name has one value.
  /// - Throws: The errors of ``init(_:_:)``.
  public init(_ format: String, arguments: [Any?], named: [String: Any?] = [:]) throws {
    let tree = try VaultError.mappingConditions { try Condition.parse(format) }
    self.init(
      tree, arguments: arguments.map { ConditionArgument(given: $0) },
      named: named.mapValues { ConditionArgument(given: $0) }, text: format,
      size: Size(of: tree))
    // A surplus argument must not become an argument of a condition it is joined with.
    let needed = tree.argumentCount
    guard self.arguments.count == needed else {
      throw VaultError(
        .invalidCondition,
        "The condition has \(needed) placeholders, but \(self.arguments.count) arguments were "
          + "passed. Pass one argument for each placeholder.")
    }
  }

  /// The condition that is true for all objects.
  public static var always: ObjectCondition { ObjectCondition(.constant(true)) }

  /// The condition that is false for all objects.
  public static var never: ObjectCondition { ObjectCondition(.constant(false)) }

  /// Returns the conjunction of the conditions; ``always`` if there are none.
  public static func all(of conditions: some Sequence<ObjectCondition>) -> ObjectCondition {
    joined(conditions, isConjunction: true)
  }

  /// Returns the disjunction of the conditions; ``never`` if there are none.
  public static func any(of conditions: some Sequence<ObjectCondition>) -> ObjectCondition {
    joined(conditions, isConjunction: false)
  }

  /// The condition itself.
  public var condition: ObjectCondition { self }

  static func joined(
    _ conditions: some Sequence<ObjectCondition>, isConjunction: Bool
  ) -> ObjectCondition {
    var draft = ConditionDraft()
    var trees: [Condition] = []
    var sizes: [(Size, isFlattened: Bool)] = []
    for condition in conditions {
      trees.append(draft.add(condition))
      sizes.append((condition.size, condition.tree.isJunction(ofAll: isConjunction)))
    }
    let tree = isConjunction ? Condition.conjunction(trees) : Condition.disjunction(trees)
    return draft.condition(tree, size: Size(joining: sizes))
  }

  /// Returns a condition that wraps this one.
  func nested(_ make: (Condition) -> Condition) -> ObjectCondition {
    ObjectCondition(
      make(tree), arguments: arguments, named: named, failure: failure,
      size: Size(around: size))
  }
}

/// A value that can be used as a condition: an ``ObjectCondition`` or a Bool property.
public protocol ConditionConvertible {
  /// The condition for the value.
  var condition: ObjectCondition { get }
}

extension ConditionConvertible {
  /// Returns a condition that requires both conditions.
  public static func && (left: Self, right: some ConditionConvertible) -> ObjectCondition {
    .joined([left.condition, right.condition], isConjunction: true)
  }

  /// Returns a condition that requires at least one of the conditions.
  public static func || (left: Self, right: some ConditionConvertible) -> ObjectCondition {
    .joined([left.condition, right.condition], isConjunction: false)
  }

  /// Returns the exact negation of a condition, also for nil values.
  public static prefix func ! (condition: Self) -> ObjectCondition {
    condition.condition.nested { .not($0) }
  }
}
