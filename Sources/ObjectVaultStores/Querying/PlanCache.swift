import ObjectVaultCondition
import ObjectVaultDriver
import Synchronization

/// A table's cache of recent conditions.
///
/// Programs repeat a few conditions many times with other values.
final class PlanCache: Sendable {
  private static let capacity = 128

  /// The identity of a condition without its values.
  private enum Key: Hashable {
    case text(ConditionText)
    case tree(ConditionKey)
  }

  private let conditions = Locked<[Key: CachedCondition]>([:])
  /// The most recent condition for each text length modulo 16, which is usually the requested one.
  private let recent = Locked(
    [(text: ConditionText, condition: CachedCondition)?](repeating: nil, count: 16))

  /// Returns the condition for a text, from the cache or newly parsed.
  func condition(_ text: String) throws(ConditionError) -> CachedCondition {
    let place = text.utf8.count & 15
    let text = ConditionText(text: text)
    let last = recent.withLock { recent -> CachedCondition? in
      guard let last = recent[place], last.text == text else { return nil }
      return last.condition
    }
    if let last { return last }
    let known = try find(.text(text)) { () throws(ConditionError) in
      try Condition.parse(text.text)
    }
    recent.withLock { $0[place] = (text, known) }
    return known
  }

  /// Returns the condition for a tree; `nil` for a tree that must be checked each time.
  func condition(_ tree: Condition) -> CachedCondition? {
    ConditionKey(tree).map { find(.tree($0)) { tree } }
  }

  private func find<E: Error>(
    _ key: Key, orMake tree: () throws(E) -> Condition
  ) throws(E) -> CachedCondition {
    if let known = conditions.withLock({ $0[key] }) { return known }
    let made = CachedCondition(try tree())
    conditions.withLock { conditions in
      if conditions.count >= Self.capacity { conditions.removeAll() }
      conditions[key] = made
    }
    return made
  }
}

/// A cached condition without its values, and its form once one is known.
final class CachedCondition: Sendable {
  /// The limit on attempts to create a form.
  ///
  /// Some conditions have no form, others only while no value is nil.
  private static let attempts = 8

  let tree: Condition
  private let form = Locked<ConditionForm?>(nil)
  private let uses = Atomic<Int>(0)

  init(_ tree: Condition) { self.tree = tree }

  /// Returns the condition with these arguments.
  ///
  /// - Parameters:
  ///   - store: The store to query.
  ///   - arguments: The positional arguments.
  ///   - named: The named arguments.
  ///   - text: The whole text of the condition, for positions in errors.
  ///   - own: The condition with its own positions in that text, if they can differ.
  /// - Returns: A form with values if the form is known, else a resolved condition.
  /// - Throws: The errors of ``ConditionChecker/resolve(_:arguments:named:text:)``.
  func condition(
    of store: StoreAccess, _ arguments: [ConditionArgument],
    _ named: [String: ConditionArgument], text: String?, own: Condition? = nil
  ) throws -> QueryCondition {
    if let known = formed(count: arguments.count, { arguments[$0] }) { return known }
    let checker = store.checker
    let condition = try checker.resolve(own ?? tree, arguments: arguments, named: named, text: text)
    learn(condition, by: checker, store.table)
    return .checked(condition)
  }

  /// Returns the condition with these arguments if its form is known and they match it.
  ///
  /// - Parameters:
  ///   - count: The number of arguments.
  ///   - argument: Returns the argument at a position.
  /// - Returns: The form and its values, or `nil`.
  func formed(
    count: Int, _ argument: (Int) throws -> ConditionArgument
  ) rethrows -> QueryCondition? {
    guard let form = form.withLock({ $0 }), let values = try form.values(count: count, argument)
    else { return nil }
    return .formed(form, values)
  }

  /// Creates the form at the second use or later: many conditions are used only once.
  private func learn(
    _ condition: ResolvedCondition, by checker: ConditionChecker, _ table: Table
  ) {
    guard form.withLock({ $0 == nil }), uses.load(ordering: .relaxed) <= Self.attempts,
      uses.wrappingAdd(1, ordering: .relaxed).oldValue > 0,
      let made = ConditionForm(of: tree, resolved: condition, by: checker, table)
    else { return }
    form.withLock { $0 = $0 ?? made }
  }
}

/// The text of a condition, compared by bytes.
///
/// Swift treats canonically equivalent texts as equal, but they select different objects.
private struct ConditionText: Hashable, Sendable {
  let text: String

  static func == (a: ConditionText, b: ConditionText) -> Bool {
    a.text.hasSameBytes(as: b.text)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
