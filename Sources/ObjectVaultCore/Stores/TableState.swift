import ObjectVaultEngine
import Synchronization

/// What all stores of one table share: its description, its SQL, its statement slots, and whether
/// the table is still there.
@usableFromInline
final class TableState: Sendable {
  let description: ClassDescription
  let sql: TableSQL
  /// The Swift type that declared the table first; `nil` when described at run time.
  let type: ObjectIdentifier?
  /// What a row needs to know to make a ``DynamicObject``.
  let layout: DynamicLayout
  /// What orders rows as they were inserted, quoted.
  let insertionOrder: [String]
  /// The same as a clause.
  let insertionOrderClause: String
  /// Where the parts of the objectID stand among the columns.
  let objectIDPositions: [Int]
  /// The one of a Swift type whose objectID has one part; -1 for others.
  let objectIDPosition: Int
  /// Where an objectID is bound that the vault generates, or is given; -1 for classes that bind it to
  /// properties.
  @usableFromInline let generatedPosition: Int
  /// Whether every number that the engine may generate is one of the objectID's type.
  let takesEveryNumber: Bool
  /// Why nothing can be written, where the engine lacks what keeps the class's index of words.
  let searchUnavailable: VaultError?
  /// Whether a write of an object can be one of contents that objects share, too.
  let sharesBlobs: Bool
  /// The foreign keys of the table that the class's properties keep.
  let foreignKeys: [ForeignKey]
  /// The `OwnedObjects` of the type that declared the table, where it has some.
  let owned: (any Sendable)?
  /// Whether it has some.
  let hasOwned: Bool
  /// Whether an insert of one object is one statement that need not be undone.
  let insertsByOneStatement: Bool
  /// The converters that conditions can meet; `nil` where there is none.
  let converters: ConverterPaths?
  private let firstSlot: Int
  private let isInvalid = Atomic<Bool>(false)
  private let isChanged = Atomic<Bool>(false)
  private let lastNumberWasSeen = Atomic<Bool>(false)
  /// The epoch of the schema with which the class was compared last.
  let checkedEpoch = Atomic<Int>(0)
  private let failedToFit = Atomic<Bool>(false)
  /// The numbers that this process gave to objects of the table.
  let givenNumbers: GivenNumbers
  /// The conditions that stores of the table were asked for.
  let conditions = KnownConditions()
  let partialUpdates = Locked(PartialUpdates())
  /// The classes of the file, and how many changes of classes they are as after.
  private let graph = Locked<(classes: ClassGraph, generation: Int)?>(nil)

  /// The statements that have a slot of their own on each connection.
  enum Slot: Int, CaseIterable {
    case insert, insertSeveral, replace, update, remove, find
    /// An update that changes nothing where a reference would be left without its object.
    case guardedUpdate
    /// An update that changes a row only where it differs.
    case differingUpdate
  }

  /// - Parameter firstSlot: The first of its slots on the connections of its file.
  init(
    _ declaration: ClassDeclaration, insertionOrder: [String], foreignKeys: [ForeignKey] = [],
    firstSlot: Int, givenNumbers: GivenNumbers = GivenNumbers()
  ) {
    self.givenNumbers = givenNumbers
    description = declaration.description
    owned = declaration.owned
    hasOwned = declaration.owned != nil
    converters = ConverterPaths(declaration)
    searchUnavailable = declaration.description.missingSearch
    sharesBlobs = !declaration.description.sharedPositions.isEmpty
    let columns = Set(description.rowColumns)
    self.foreignKeys = foreignKeys.filter { columns.isSuperset(of: $0.columns) }
    type = declaration.type
    takesEveryNumber =
      !description.objectIDIsRowID
      || declaration.takesEveryNumber && description.generatedNumbers == .min ... .max
    insertsByOneStatement = !hasOwned && self.foreignKeys.isEmpty && takesEveryNumber
    self.insertionOrder = insertionOrder
    insertionOrderClause = " ORDER BY \(insertionOrder.joined(separator: ", "))"
    let objectIDPositions = description.objectIDPositions
    self.objectIDPositions = objectIDPositions
    objectIDPosition =
      declaration.type != nil && objectIDPositions.count == 1 ? objectIDPositions[0] : -1
    generatedPosition = description.objectID == .generated ? description.properties.count : -1
    sql = TableSQL(description, foreignKeys: self.foreignKeys)
    layout = DynamicLayout(description)
    self.firstSlot = firstSlot
  }

  /// Whether the table is still there, as far as this process knows.
  var isValid: Bool { !isInvalid.load(ordering: .acquiring) }

  /// - Parameter isChanged: Whether the table is still there, without columns that it had.
  func invalidate(isChanged: Bool = false) {
    self.isChanged.store(isChanged, ordering: .relaxed)
    isInvalid.store(true, ordering: .releasing)
  }

  /// - Throws: `.invalidated` after the table was removed, `.schemaMismatch` after it was changed.
  @inline(__always)
  func checkValid() throws(VaultError) {
    if isInvalid.load(ordering: .acquiring) {
      throw isChanged.load(ordering: .relaxed) ? changed : removed
    }
  }

  /// Whether everything that its statements name is among the columns of the table, with the name of
  /// the number of a row.
  func fits(_ columns: Set<String>) -> Bool {
    description.rowColumns.allSatisfy(columns.contains)
      && description.properties.allSatisfy {
        $0.isShared == columns.contains(SharedBlobs.mark($0.column))
      }
      && insertionOrder.allSatisfy { term in
        // Behind the table's name. A name without quotes is that of the number.
        let name = term.dropFirst(sql.table.count + 1)
        return name.hasPrefix("\"") || columns.contains(String(name))
      }
  }

  /// Whether the class did not fit the file when an object was to be written, so that the next store is
  /// compared with the file again.
  var mustBeComparedAgain: Bool { failedToFit.load(ordering: .relaxed) }

  func noteMisfit() { failedToFit.store(true, ordering: .relaxed) }

  /// Whether an object of the table may have had the last number there is. None who inserts an
  /// object without a number must ask the table while it is `false`.
  @inline(__always)
  var mayHaveLastNumber: Bool { lastNumberWasSeen.load(ordering: .relaxed) }

  func noteLastNumber() { lastNumberWasSeen.store(true, ordering: .relaxed) }

  /// The classes of the file as they were read when the file was as it is now; `nil` where they were
  /// not.
  func keptGraph(_ generation: Int) -> ClassGraph? {
    graph.withLock { $0?.generation == generation ? $0?.classes : nil }
  }

  func keep(_ classes: ClassGraph, _ generation: Int) {
    graph.withLock { $0 = (classes, generation) }
  }

  /// The class kept in a table, as conditions know it.
  func keptClass(ofTable table: String) -> ClassDescription? {
    graph.withLock { $0?.classes[table] }
  }

  /// Has the classes of the file read anew for the next condition; what those that were made know is
  /// kept for their errors.
  func forgetGraph() { graph.withLock { $0?.generation = -1 } }

  var removed: VaultError {
    VaultError(
      .invalidated,
      "The table of class '\(description.name)' was removed after this store was made. "
        + "Ask the vault for a new store, which makes the table again.")
  }

  var changed: VaultError {
    VaultError(
      .schemaMismatch,
      "The table of class '\(description.name)' has lost a column, or the numbers of its rows, or "
        + "shares other contents, since this store was made: a changed form of the class has it now. Use a "
        + "store of that form.")
  }

  var ignoredByTrigger: VaultError {
    VaultError(
      .constraint,
      "A trigger of the file leaves out an object of class '\(description.name)', by RAISE(IGNORE). "
        + "Nothing was stored. Have the trigger raise an error, or drop it.")
  }

  /// A class at the other end of an association is not what conditions were checked against.
  func changed(_ other: ClassDescription) -> VaultError {
    VaultError(
      .schemaMismatch,
      "The table of class '\(other.name)', to which associations of class '\(description.name)' lead, "
        + "has lost a column since it was read: a changed form of the class has it now. Make the query "
        + "again, with the names that the class has now.")
  }

  /// Calls `body` with a slot's statement on this connection.
  @inline(__always)
  func with<R>(
    _ slot: Slot, on connection: VaultConnection, _ body: (Statement) throws -> R
  ) throws -> R {
    try connection.with(slot: firstSlot + slot.rawValue, sql: sql.text(of: slot), body)
  }
}
