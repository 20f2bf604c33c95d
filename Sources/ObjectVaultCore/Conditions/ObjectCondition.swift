package import ObjectVaultCondition

/// A condition as a value: what typed expressions, `#Predicate`, chains and text become.
///
/// Conditions are made of names and values, not of objects; a store checks them against its class
/// when it is asked. They can be kept, passed on and joined, whichever way each was written:
///
/// ```swift
/// var wanted = try ObjectCondition("age >= %@", 18)
/// if let name { wanted = wanted && Where("name").isEqual(to: name) }
/// let found = try students.where(wanted).all()
/// ```
///
/// `&&` binds tighter than `||`, as everywhere in Swift.
public struct ObjectCondition: Sendable, ConditionConvertible {
  package var tree: Condition
  package var arguments: [ConditionArgument]
  package var named: [String: ConditionArgument]
  /// Why a value in it could not be taken; thrown when a store is asked.
  package var failure: VaultError?
  /// The text that it is the whole of, for the places of errors.
  var text: String?

  init(
    _ tree: Condition, arguments: [ConditionArgument] = [],
    named: [String: ConditionArgument] = [:], failure: VaultError? = nil, text: String? = nil
  ) {
    self.tree = tree
    self.arguments = arguments
    self.named = named
    self.failure = failure
    self.text = text
  }

  /// The condition that a text spells.
  ///
  /// - Parameters:
  ///   - format: A condition; `Guides/Conditions.md` has its grammar.
  ///   - arguments: The values of `%@`, in order; they are bound, never spliced into text.
  /// - Throws: ``VaultError``: `.invalidCondition` with the place in the text, `.invalidValue` for
  ///   an argument that no property could have.
  public init(_ format: String, _ arguments: Any?...) throws {
    try self.init(format, arguments: arguments)
  }

  /// The condition that a text spells.
  ///
  /// - Parameters:
  ///   - format: A condition.
  ///   - arguments: The values of `%@`, in order.
  ///   - named: The values of `$name`. Conditions that are joined share them: one name has one value.
  /// - Throws: as ``init(_:_:)``.
  public init(_ format: String, arguments: [Any?], named: [String: Any?] = [:]) throws {
    do {
      self.init(
        try Condition.parse(format),
        arguments: try arguments.map { try ConditionArgument(kept: $0) },
        named: try named.mapValues { try ConditionArgument(kept: $0) }, text: format)
    } catch let error as ConditionError {
      throw VaultError(error)
    }
    // Arguments of its own must not become those of a condition it is joined with.
    let needed = tree.argumentCount
    guard self.arguments.count == needed else {
      throw VaultError(
        .invalidCondition,
        "The condition has \(needed) placeholders and \(self.arguments.count) arguments. Give one "
          + "argument for each.")
    }
  }

  /// The condition that always holds.
  public static var always: ObjectCondition { ObjectCondition(.constant(true)) }

  /// The condition that never holds.
  public static var never: ObjectCondition { ObjectCondition(.constant(false)) }

  /// The condition that all of these hold; of none, the one that always holds.
  public static func all(of conditions: some Sequence<ObjectCondition>) -> ObjectCondition {
    joined(conditions, Condition.conjunction)
  }

  /// The condition that one of these holds; of none, the one that never holds.
  public static func any(of conditions: some Sequence<ObjectCondition>) -> ObjectCondition {
    joined(conditions, Condition.disjunction)
  }

  /// Itself.
  public var condition: ObjectCondition { self }

  static func joined(
    _ conditions: some Sequence<ObjectCondition>, _ join: ([Condition]) -> Condition
  ) -> ObjectCondition {
    var draft = ConditionDraft()
    let trees = conditions.map { draft.add($0) }
    return draft.condition(join(trees))
  }
}

/// What can stand as a condition: an ``ObjectCondition``, and a Bool property alone.
public protocol ConditionConvertible {
  /// The condition.
  var condition: ObjectCondition { get }
}

extension ConditionConvertible {
  /// Both hold.
  public static func && (left: Self, right: some ConditionConvertible) -> ObjectCondition {
    .joined([left.condition, right.condition], Condition.conjunction)
  }

  /// One of them holds, or both.
  public static func || (left: Self, right: some ConditionConvertible) -> ObjectCondition {
    .joined([left.condition, right.condition], Condition.disjunction)
  }

  /// It does not hold: exact negation, also where values are nil.
  public static prefix func ! (condition: Self) -> ObjectCondition {
    var negated = condition.condition
    negated.tree = .not(negated.tree)
    negated.text = nil
    return negated
  }
}
