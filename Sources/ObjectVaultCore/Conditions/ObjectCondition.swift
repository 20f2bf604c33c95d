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
  /// How large the tree is.
  private(set) var size: Size

  init(
    _ tree: Condition, arguments: [ConditionArgument] = [],
    named: [String: ConditionArgument] = [:], failure: VaultError? = nil, text: String? = nil,
    size: Size = Size()
  ) {
    let excess = size.excess
    // What is nested without bound could not be walked, not even to be released.
    self.tree = excess == nil ? tree : .constant(false)
    self.size = excess == nil ? size : Size()
    self.arguments = excess == nil ? arguments : []
    self.named = named
    self.failure = failure ?? excess
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
    let tree = try VaultError.mappingConditions { try Condition.parse(format) }
    self.init(
      tree, arguments: arguments.map { ConditionArgument(given: $0) },
      named: named.mapValues { ConditionArgument(given: $0) }, text: format,
      size: Size(of: tree))
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
    joined(conditions, isConjunction: true)
  }

  /// The condition that one of these holds; of none, the one that never holds.
  public static func any(of conditions: some Sequence<ObjectCondition>) -> ObjectCondition {
    joined(conditions, isConjunction: false)
  }

  /// Itself.
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

  /// A condition around this one.
  func nested(_ make: (Condition) -> Condition) -> ObjectCondition {
    ObjectCondition(
      make(tree), arguments: arguments, named: named, failure: failure,
      size: Size(around: size))
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
    .joined([left.condition, right.condition], isConjunction: true)
  }

  /// One of them holds, or both.
  public static func || (left: Self, right: some ConditionConvertible) -> ObjectCondition {
    .joined([left.condition, right.condition], isConjunction: false)
  }

  /// It does not hold: exact negation, also where values are nil.
  public static prefix func ! (condition: Self) -> ObjectCondition {
    condition.condition.nested { .not($0) }
  }
}
