import ObjectVaultCondition
import ObjectVaultEngine
import Synchronization

/// What all stores of one table share: its description, its SQL, its statement slots, and whether
/// the table is still there.
final class TableState: Sendable {
  let description: ClassDescription
  let sql: TableSQL
  /// The Swift type that declared the table first; `nil` when described at run time.
  let type: ObjectIdentifier?
  /// What a row needs to know to make a ``DynamicObject``.
  let layout: DynamicLayout
  /// What orders rows as they were inserted, quoted.
  let insertionOrder: [String]
  /// Where the parts of the objectID stand among the columns.
  let objectIDPositions: [Int]
  /// Whether every number that the engine may generate is one of the objectID's type.
  let takesEveryNumber: Bool
  private let firstSlot: Int
  private let isInvalid = Atomic<Bool>(false)
  private let lastNumberWasSeen = Atomic<Bool>(false)
  private let conditions = Locked<[ConditionText: Condition]>([:])

  /// The statements that have a slot of their own on each connection.
  enum Slot: Int, CaseIterable {
    case insert, replace, update, remove, find
  }

  private static let nextSlot = Atomic<Int>(0)

  init(_ declaration: ClassDeclaration, insertionOrder: [String]) {
    description = declaration.description
    type = declaration.type
    takesEveryNumber =
      !description.objectIDIsRowID
      || declaration.takesEveryNumber && description.generatedNumbers == .min ... .max
    self.insertionOrder = insertionOrder
    objectIDPositions = description.objectIDPositions
    sql = TableSQL(description)
    layout = DynamicLayout(description)
    firstSlot =
      Self.nextSlot.wrappingAdd(Slot.allCases.count, ordering: .relaxed).oldValue
  }

  /// Whether the table is still there, as far as this process knows.
  var isValid: Bool { !isInvalid.load(ordering: .acquiring) }

  func invalidate() { isInvalid.store(true, ordering: .releasing) }

  /// - Throws: `.invalidated` after the table was removed.
  @inline(__always)
  func checkValid() throws(VaultError) {
    if isInvalid.load(ordering: .acquiring) { throw removed }
  }

  /// Whether an object of the table may have had the last number there is. None who inserts an
  /// object without a number must ask the table while it is `false`.
  @inline(__always)
  var mayHaveLastNumber: Bool { lastNumberWasSeen.load(ordering: .relaxed) }

  func noteLastNumber() { lastNumberWasSeen.store(true, ordering: .relaxed) }

  /// The syntax tree of a condition's text; the latest texts are kept, since programs ask with the
  /// same few again and again.
  func parsed(_ text: String) throws(ConditionError) -> Condition {
    let key = ConditionText(text: text)
    if let condition = conditions.withLock({ $0[key] }) { return condition }
    let condition = try Condition.parse(text)
    conditions.withLock { conditions in
      if conditions.count >= 128 { conditions.removeAll() }
      conditions[key] = condition
    }
    return condition
  }

  var removed: VaultError {
    VaultError(
      .invalidated,
      "The table of class '\(description.name)' was removed after this store was made. "
        + "Ask the vault for a new store, which makes the table again.")
  }

  /// Calls `body` with a slot's statement on this connection.
  @inline(__always)
  func with<R>(
    _ slot: Slot, on connection: VaultConnection, _ body: (Statement) throws -> R
  ) throws -> R {
    try connection.with(slot: firstSlot + slot.rawValue, sql: text(of: slot), body)
  }

  private func text(of slot: Slot) -> String {
    switch slot {
    case .insert: sql.insert
    case .replace: sql.replace
    case .update: sql.update
    case .remove: sql.remove
    case .find: sql.find
    }
  }
}

/// A condition's text, equal to others of the same bytes alone: texts that are only canonically
/// equivalent, which are equal to Swift, ask for different things.
private struct ConditionText: Hashable, Sendable {
  let text: String

  static func == (a: ConditionText, b: ConditionText) -> Bool {
    a.text.utf8.elementsEqual(b.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
