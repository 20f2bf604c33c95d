import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema

/// A change of a table inside a transaction.
enum TableChange {
  case made(Table)
  /// The table's name in lower case, and its columns after the change, including the row ID.
  case changed(TableKey, columns: Set<String>)
  /// The table's name in lower case.
  case removed(TableKey)
}

/// The bytes of a table's name in lower case.
///
/// Names that differ only in the case of A-Z are the same table, and those that differ only in their
/// Unicode form are not.
typealias TableKey = [UInt8]

/// The table cache of one file: the tables that stores have requested.
struct KnownTables {
  private struct Key: Hashable {
    var table: TableKey
    /// The Swift type; `nil` for a class described at run time.
    var type: ObjectIdentifier?

    init(_ description: ClassDescription, type: ObjectIdentifier?) {
      table = description.table.asciiLowercasedUTF8
      self.type = type
    }
  }

  /// The table for the next store of a class.
  private var current: [Key: Table] = [:]
  /// The number of creations and removals of tables.
  private(set) var generation = 0
  /// All tables that stores may use, by name.
  ///
  /// They are retained here instead of weakly referenced: reference counting becomes slower for an
  /// object once it has weak references, and every read refers to a table.
  private var all: [TableKey: [Table]] = [:]
  /// The generated numbers assigned to objects, by table.
  private var givenNumbers: [TableKey: GivenNumbers] = [:]

  /// Returns the cached table of a class.
  ///
  /// - Throws: `.invalidClass` if another Swift type uses the table.
  func table(
    of description: ClassDescription, type: ObjectIdentifier?
  ) throws(VaultError) -> Table? {
    let key = Key(description, type: type)
    if let table = current[key], table.isValid, table.description == description,
      !table.mustBeComparedAgain
    {
      return table
    }
    guard type != nil else { return nil }
    for (other, found) in current where other.table == key.table && found.isValid {
      guard let otherType = other.type, otherType != type else { continue }
      throw description.isTaken(by: found.description.name)
    }
    return nil
  }

  /// Returns the generated numbers assigned to objects of a table, shared by all who know it.
  mutating func givenNumbers(ofTable table: String) -> GivenNumbers {
    let key = table.asciiLowercasedUTF8
    if let numbers = givenNumbers[key] { return numbers }
    let numbers = GivenNumbers()
    givenNumbers[key] = numbers
    return numbers
  }

  /// Records that a transaction, or a savepoint in one, was rolled back.
  func noteRollback(in transaction: Int) {
    for numbers in givenNumbers.values { numbers.noteRollback(in: transaction) }
  }

  /// Returns the classes stored in a table, according to existing stores.
  func classes(ofTable table: String) -> [ClassDescription] {
    (all[table.asciiLowercasedUTF8] ?? []).filter(\.isValid).map(\.description)
  }

  /// The classes of all tables, according to existing stores.
  var classes: [ClassDescription] {
    all.values.flatMap { $0.filter(\.isValid).reversed().map(\.description) }
  }

  /// Registers a new table, unless another thread registered one first.
  ///
  /// - Returns: The table to use.
  mutating func register(_ made: Table) -> Table {
    let key = Key(made.description, type: made.type)
    if let table = current[key], table.isValid, table.description == made.description,
      !table.mustBeComparedAgain
    {
      // A transaction may already have returned `made` to a store.
      add(made, to: key.table)
      return table
    }
    current[key] = made
    add(made, to: key.table)
    return made
  }

  private mutating func add(_ made: Table, to table: TableKey) {
    generation += 1
    var known = all.removeValue(forKey: table) ?? []
    for position in known.indices.reversed()
    where isKnownUniquelyReferenced(&known[position]) {
      // No store uses it any more, and none will.
      known.remove(at: position)
    }
    known.append(made)
    all[table] = known
  }

  mutating func apply(_ change: TableChange) {
    switch change {
    case .made(let made): _ = register(made)
    case .changed(let table, let columns): forget(table, unless: columns)
    case .removed(let table): invalidate(table)
    }
  }

  /// Makes the next store read the table again, and invalidates those that use removed columns.
  private mutating func forget(_ table: TableKey, unless columns: Set<String>) {
    for known in all[table] ?? [] where !known.fits(columns) {
      known.invalidate(isChanged: true)
    }
    for key in current.keys where key.table == table { current[key] = nil }
  }

  /// Invalidates every store of the table.
  private mutating func invalidate(_ table: TableKey) {
    generation += 1
    for known in all.removeValue(forKey: table) ?? [] { known.invalidate() }
    givenNumbers[table] = nil
    for key in current.keys where key.table == table { current[key] = nil }
  }

  /// Invalidates every store.
  mutating func invalidateAll() {
    for table in Array(all.keys) { invalidate(table) }
  }
}
