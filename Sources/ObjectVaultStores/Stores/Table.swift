import ObjectVaultDriver
package import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import Synchronization

/// The table of a class, which all its stores share: description, SQL, statement slots, validity.
@usableFromInline
package final class Table: Sendable {
  package let description: ClassDescription
  let sql: TableStatements
  /// The Swift type that first declared the table; `nil` if described at run time.
  let type: ObjectIdentifier?
  /// The layout that a row needs to create a ``DynamicObject``.
  package let layout: DynamicLayout
  /// The quoted terms that order rows by insertion.
  let insertionOrder: [String]
  /// The same terms as a clause.
  let insertionOrderClause: String
  /// The condition of a statement that removes all rows; empty if it needs none.
  ///
  /// Without it, the engine does not count the removed rows of a table without row numbers.
  let everyRow: String
  /// The positions of the object ID's parts among the columns.
  let objectIDPositions: [Int]
  /// The position of a Swift type's object ID with one part; -1 for others.
  let objectIDPosition: Int
  /// The parameter position of a generated or explicitly given object ID; -1 for classes that bind
  /// it to properties.
  @usableFromInline let generatedPosition: Int
  /// Whether every number that the engine may generate is in the object ID's type.
  let takesEveryNumber: Bool
  /// The error for writes if the engine lacks the module of the class's full-text index.
  let searchUnavailable: VaultError?
  /// Whether writing an object may also write shared blobs.
  let sharesBlobs: Bool
  /// The sealing of the class's values; `nil` if it has no sealed property.
  package let sealing: TableSealing?
  /// The foreign keys of the table that the class's properties store.
  let foreignKeys: [ForeignKey]
  /// The `OwnedObjects` of the declaring type, if it has some.
  let owned: (any Sendable)?
  /// Whether the class has owned objects.
  let hasOwned: Bool
  /// Whether owned objects, on any level, can refer to others that the same save stores later.
  let ownedReferAhead: Bool
  /// The tables of owned classes, on any level, that only one property owns.
  let soleOwnedTables: Set<String>
  /// Whether one statement inserts one object and never needs a rollback.
  let insertsByOneStatement: Bool
  /// The converters that conditions can use; `nil` if there are none.
  let converters: ConverterPaths?
  private let firstSlot: Int
  private let isInvalid = Atomic<Bool>(false)
  private let isChanged = Atomic<Bool>(false)
  private let lastNumberWasSeen = Atomic<Bool>(false)
  /// The schema epoch of the last comparison of the class with the file.
  let checkedEpoch = Atomic<Int>(0)
  private let failedToFit = Atomic<Bool>(false)
  private let hasRowTriggers = Atomic<Bool>(false)
  private let hasForeignInsertTriggers = Atomic<Bool>(false)
  private let hasKeyWithoutNumbers = Atomic<Bool>(false)
  /// The generated numbers that this process assigned to objects of the table.
  let givenNumbers: GivenNumbers
  /// The condition cache of the table's stores.
  let plans = PlanCache()
  let partialUpdates = Locked(PartialUpdates())
  /// The classes of the file, with the generation of class changes that they belong to.
  private let graph = Locked<(classes: ClassGraph, generation: Int)?>(nil)

  /// The statements with their own slots on each connection.
  package enum Slot: Int, CaseIterable {
    case insert, insertSeveral, replace, update, remove, find
    /// An update that changes nothing if a reference would lack its object.
    case guardedUpdate
    /// An update that changes a row only if it differs.
    case differingUpdate
  }

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - declaration: The class.
  ///   - insertionOrder: The quoted terms that order rows by insertion.
  ///   - foreignKeys: The foreign keys of the table.
  ///   - searchUnavailable: The error for writes if the engine lacks the module of the index.
  ///   - firstSlot: The number of its first statement slot on the connections of its file.
  ///   - givenNumbers: The generated numbers that this process assigned.
  ///   - dialect: The SQL of the engine.
  ///   - collated: The columns of the file with a collation.
  ///   - sealers: The keys of sealed values.
  /// - Throws: `.invalidCondition` if the engine lacks a capability that the class needs.
  init(
    _ declaration: ClassDeclaration, insertionOrder: [String], foreignKeys: [ForeignKey] = [],
    searchUnavailable: VaultError? = nil, firstSlot: Int,
    givenNumbers: GivenNumbers = GivenNumbers(), dialect: any Dialect,
    collated: CollatedColumns? = nil, sealers: SealerSource? = nil
  ) throws(VaultError) {
    self.givenNumbers = givenNumbers
    description = declaration.description
    owned = declaration.owned
    hasOwned = declaration.owned != nil
    let others = declaration.referenced.map(\.description)
    converters = ConverterPaths(declaration.description, others)
    ownedReferAhead = hasOwned && description.ownedReferAhead(among: others)
    soleOwnedTables = hasOwned ? description.soleOwnedTables(among: others) : []
    self.searchUnavailable = searchUnavailable
    sharesBlobs = !declaration.description.sharedPositions.isEmpty
    sealing = sealers.flatMap { TableSealing(declaration.description, $0) }
    let columns = Set(description.rowColumns)
    self.foreignKeys = foreignKeys.filter { columns.isSuperset(of: $0.columns) }
    type = declaration.type
    takesEveryNumber =
      !description.objectIDIsRowID
      || declaration.takesEveryNumber && description.generatedNumbers == .min ... .max
    insertsByOneStatement = !hasOwned && self.foreignKeys.isEmpty && takesEveryNumber
    self.insertionOrder = insertionOrder
    insertionOrderClause = " ORDER BY \(insertionOrder.joined(separator: ", "))"
    // Only the names of columns are quoted.
    let hasRowIDs = !insertionOrder.contains { $0.hasSuffix("\"") }
    everyRow = hasRowIDs ? "" : " WHERE \(dialect.constant(true))"
    let objectIDPositions = description.objectIDPositions
    self.objectIDPositions = objectIDPositions
    objectIDPosition =
      declaration.type != nil && objectIDPositions.count == 1 ? objectIDPositions[0] : -1
    generatedPosition = description.objectID == .generated ? description.properties.count : -1
    sql = try TableStatements(
      description, foreignKeys: self.foreignKeys, replacing: hasRowIDs ? .replace : .replaceInPlace,
      dialect: dialect, collated: collated, sealers: sealers)
    layout = DynamicLayout(description)
    self.firstSlot = firstSlot
  }

  /// Whether objects can refer to objects of the same class.
  var refersToItself: Bool {
    foreignKeys.contains { $0.target.asciiLowercased == description.table.asciiLowercased }
  }

  /// Whether the table still exists, as this process knows.
  var isValid: Bool { !isInvalid.load(ordering: .acquiring) }

  /// Marks the table as invalid.
  ///
  /// - Parameter isChanged: Whether the table still exists but lost columns.
  func invalidate(isChanged: Bool = false) {
    self.isChanged.store(isChanged, ordering: .relaxed)
    isInvalid.store(true, ordering: .releasing)
  }

  /// Throws `.invalidated` after the table was removed, or `.schemaMismatch` after it was changed.
  @inline(__always)
  func checkValid() throws(VaultError) {
    if isInvalid.load(ordering: .acquiring) {
      throw isChanged.load(ordering: .relaxed) ? changed : removed
    }
  }

  /// Returns whether the table has all names that the statements use; see
  /// ``ClassDescription/fits(_:orderedBy:)``.
  func fits(_ names: Set<String>) -> Bool { description.fits(names, orderedBy: insertionOrder) }

  /// Whether the class did not match the file at a write, so that the next store compares it again.
  var mustBeComparedAgain: Bool { failedToFit.load(ordering: .relaxed) }

  func noteMisfit() { failedToFit.store(true, ordering: .relaxed) }

  /// Whether triggers of the file run when an object is inserted or removed, according to the last
  /// comparison with the file.
  var runsTriggers: Bool { hasRowTriggers.load(ordering: .relaxed) }

  /// Whether a trigger of the application runs when an object is inserted, according to the last
  /// comparison with the file.
  ///
  /// It may insert objects of the same class, which get numbers in between.
  var runsInsertTriggers: Bool { hasForeignInsertTriggers.load(ordering: .relaxed) }

  /// Whether the engine generates no numbers for the object ID, according to the last comparison
  /// with the file.
  ///
  /// Another program created the table, with a key such as `INT PRIMARY KEY`.
  var lacksNumbers: Bool { hasKeyWithoutNumbers.load(ordering: .relaxed) }

  /// Reads whether triggers run, unless nothing depends on it.
  func noteTriggers(on session: Session) throws {
    guard session.connection.catalog.hasTriggers else { return }
    let schema = Schema(on: session)
    if !foreignKeys.isEmpty {
      let events = try schema.triggerEvents(of: description.table, includesOwn: true)
      hasRowTriggers.store(!events.isDisjoint(with: ["insert", "delete"]), ordering: .relaxed)
    } else if sql.severalCount > 0 {
      let events = try schema.triggerEvents(of: description.table, includesOwn: false)
      hasForeignInsertTriggers.store(events.contains("insert"), ordering: .relaxed)
    }
  }

  /// Reads whether the engine generates numbers for the object ID in a table of another program.
  func noteKey(on session: Session) throws {
    guard description.objectIDIsRowID, session.connection.catalog.hasTriggers else { return }
    let column = try Schema(on: session).rowIDColumn(of: description.table)
    hasKeyWithoutNumbers.store(column == nil, ordering: .relaxed)
  }

  /// Whether an object of the table may have the last possible number.
  ///
  /// While it is `false`, inserting an object without a number does not require a check.
  @inline(__always)
  var mayHaveLastNumber: Bool { lastNumberWasSeen.load(ordering: .relaxed) }

  func noteLastNumber() { lastNumberWasSeen.store(true, ordering: .relaxed) }

  /// Returns the cached classes of the file if they are current, otherwise `nil`.
  func keptGraph(_ generation: Int) -> ClassGraph? {
    graph.withLock { $0?.generation == generation ? $0?.classes : nil }
  }

  func keep(_ classes: ClassGraph, _ generation: Int) {
    graph.withLock { $0 = (classes, generation) }
  }

  /// Returns the class stored in a table from the cached classes of conditions.
  func keptClass(ofTable table: String) -> ClassDescription? {
    graph.withLock { $0?.classes[table] }
  }

  /// Makes the next condition read the classes of the file again.
  ///
  /// The cached classes stay available for the errors of existing conditions.
  func forgetGraph() { graph.withLock { $0?.generation = -1 } }

  var removed: VaultError {
    VaultError(
      .invalidated,
      "The table of class '\(description.name)' was removed after this store was created, or its "
        + "creation or migration was rolled back. Request a new store from the vault, which creates "
        + "or migrates the table again.")
  }

  var changed: VaultError {
    VaultError(
      .schemaMismatch,
      "The table of class '\(description.name)' has changed since this store was created: it lost "
        + "a column or its row IDs, or shares other properties. Use a store of the changed class.")
  }

  var ignoredByTrigger: VaultError {
    VaultError(
      .constraint,
      "A trigger of the file ignores an object of class '\(description.name)' with RAISE(IGNORE). "
        + "Nothing was stored. Change the trigger to raise an error, or drop it.")
  }

  /// Returns the error for an associated class that differs from the one that conditions were
  /// checked against.
  func changed(_ other: ClassDescription) -> VaultError {
    VaultError(
      .schemaMismatch,
      "The table of class '\(other.name)', to which associations of class '\(description.name)' "
        + "lead, has lost a column since it was read. Create the query again with the current "
        + "names of the class.")
  }

  /// Calls `body` with the statement of a slot on this connection.
  @inline(__always)
  func with<R>(
    _ slot: Slot, on session: Session, _ body: (Statement) throws -> R
  ) throws -> R {
    try session.with(slot: firstSlot + slot.rawValue, sql: sql.text(of: slot), body)
  }
}
