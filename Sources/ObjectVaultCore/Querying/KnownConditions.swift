import ObjectVaultCondition
import ObjectVaultEngine
import Synchronization

/// The conditions that a table was asked lately: programs ask the same few again and again, with
/// other values.
final class KnownConditions: Sendable {
  private static let capacity = 128

  private let texts = Locked<[ConditionText: KnownCondition]>([:])
  /// Those that were spelled lately, by the lengths of their texts: mostly the one that is asked for.
  private let lately = Locked(
    [(text: ConditionText, condition: KnownCondition)?](repeating: nil, count: 16))
  private let trees = Locked<[ConditionKey: KnownCondition]>([:])

  /// The condition that a text spells.
  func condition(_ text: String) throws(ConditionError) -> KnownCondition {
    let place = text.utf8.count & 15
    let text = ConditionText(text: text)
    let last = lately.withLock { lately -> KnownCondition? in
      guard let last = lately[place], last.text == text else { return nil }
      return last.condition
    }
    if let last { return last }
    let known = try find(text)
    lately.withLock { $0[place] = (text, known) }
    return known
  }

  private func find(_ key: ConditionText) throws(ConditionError) -> KnownCondition {
    if let known = texts.withLock({ $0[key] }) { return known }
    let known = KnownCondition(try Condition.parse(key.text))
    Self.keep(known, for: key, in: texts)
    return known
  }

  /// The condition that a tree is; `nil` for one that must be checked each time.
  func condition(_ tree: Condition) -> KnownCondition? {
    guard let key = ConditionKey(tree) else { return nil }
    if let known = trees.withLock({ $0[key] }) { return known }
    let known = KnownCondition(tree)
    Self.keep(known, for: key, in: trees)
    return known
  }

  private static func keep<Key: Hashable>(
    _ known: KnownCondition, for key: Key, in conditions: Locked<[Key: KnownCondition]>
  ) {
    conditions.withLock { conditions in
      if conditions.count >= capacity { conditions.removeAll() }
      conditions[key] = known
    }
  }
}

/// A condition, whatever values it has, and its form once it is known to have one.
final class KnownCondition: Sendable {
  /// How often a form is looked for: some conditions have none, and others none while a value is nil.
  private static let attempts = 8

  let tree: Condition
  private let form = Locked<ConditionForm?>(nil)
  private let uses = Atomic<Int>(0)

  init(_ tree: Condition) { self.tree = tree }

  /// The condition with these arguments.
  ///
  /// - Parameter text: The text that it is the whole of, for the places of errors.
  /// - Throws: as ``ConditionChecker/resolve(_:arguments:named:text:)``.
  func asked(
    of store: StoreAccess, _ arguments: [ConditionArgument],
    _ named: [String: ConditionArgument], text: String?
  ) throws -> AskedCondition {
    if let known = formed(count: arguments.count, { arguments[$0] }) { return known }
    let checker = store.checker
    let condition = try checker.resolve(tree, arguments: arguments, named: named, text: text)
    learn(condition, by: checker, store.state)
    return .checked(condition)
  }

  /// The condition with these arguments, where its form is known and they fit it.
  ///
  /// - Parameter argument: Gives the argument at a position.
  func formed(
    count: Int, _ argument: (Int) throws -> ConditionArgument
  ) rethrows -> AskedCondition? {
    guard let form = form.withLock({ $0 }), let values = try form.values(count: count, argument)
    else { return nil }
    return .formed(form, values)
  }

  /// Not at the first use: many conditions have but one.
  private func learn(
    _ condition: ResolvedCondition, by checker: ConditionChecker, _ state: TableState
  ) {
    guard form.withLock({ $0 == nil }), uses.load(ordering: .relaxed) <= Self.attempts,
      uses.wrappingAdd(1, ordering: .relaxed).oldValue > 0,
      let made = ConditionForm(of: tree, resolved: condition, by: checker, state)
    else { return }
    form.withLock { $0 = $0 ?? made }
  }
}

/// A condition's text, equal to others of the same bytes alone: texts that are only canonically
/// equivalent, which are equal to Swift, ask for different things.
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
