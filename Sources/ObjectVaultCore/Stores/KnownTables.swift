/// Something that happened to a table inside a transaction.
enum TableChange {
  case made(TableState)
  /// The table's name in lower case, and the columns that it has now, the number of a row among them.
  case changed(String, columns: Set<String>)
  /// The table's name in lower case.
  case removed(String)
}

/// The tables of one file that stores were asked for.
struct KnownTables {
  private struct Key: Hashable {
    /// In lower case: names that differ in the case of A-Z only are one table.
    var table: String
    /// `nil` for a class described at run time.
    var type: ObjectIdentifier?

    init(_ description: ClassDescription, type: ObjectIdentifier?) {
      table = description.table.asciiLowercased
      self.type = type
    }
  }

  /// What the next store of a class will have.
  private var current: [Key: TableState] = [:]
  /// How often a table was made or removed.
  private(set) var generation = 0
  /// What any store may have, under the tables' names. Kept here too: an object that others refer to
  /// weakly counts its references more slowly, and a state is referred to by each read.
  private var all: [String: [TableState]] = [:]
  /// The numbers given to objects, under the tables' names in lower case.
  private var givenNumbers: [String: GivenNumbers] = [:]

  /// The state for a class that is known already.
  ///
  /// - Throws: `.invalidClass` where another Swift type has the table.
  func state(
    of description: ClassDescription, type: ObjectIdentifier?
  ) throws(VaultError) -> TableState? {
    let key = Key(description, type: type)
    if let state = current[key], state.isValid, state.description == description,
      !state.mustBeComparedAgain
    {
      return state
    }
    guard type != nil else { return nil }
    for (other, state) in current where other.table == key.table && state.isValid {
      guard let otherType = other.type, otherType != type else { continue }
      throw description.isTaken(by: state.description.name)
    }
    return nil
  }

  /// The numbers given to objects of a table, for all of its states.
  mutating func givenNumbers(ofTable table: String) -> GivenNumbers {
    let key = table.asciiLowercased
    if let numbers = givenNumbers[key] { return numbers }
    let numbers = GivenNumbers()
    givenNumbers[key] = numbers
    return numbers
  }

  /// Records that a transaction, or a part of one, was undone.
  func noteRollback() {
    for numbers in givenNumbers.values { numbers.noteRollback() }
  }

  /// The classes kept in a table, by the stores that there are.
  func classes(ofTable table: String) -> [ClassDescription] {
    (all[table.asciiLowercased] ?? []).filter(\.isValid).map(\.description)
  }

  /// The classes of all tables, by the stores that there are.
  var classes: [ClassDescription] {
    all.values.flatMap { $0.filter(\.isValid).reversed().map(\.description) }
  }

  /// Takes a state that was made, unless another thread was faster.
  ///
  /// - Returns: The state to be used.
  mutating func register(_ made: TableState) -> TableState {
    let key = Key(made.description, type: made.type)
    if let state = current[key], state.isValid, state.description == made.description,
      !state.mustBeComparedAgain
    {
      // A transaction may have given out `made` already.
      add(made, to: key.table)
      return state
    }
    current[key] = made
    add(made, to: key.table)
    return made
  }

  private mutating func add(_ state: TableState, to table: String) {
    generation += 1
    var states = all.removeValue(forKey: table) ?? []
    for position in states.indices.reversed()
    where isKnownUniquelyReferenced(&states[position]) {
      // No store has it any more, nor will one get it.
      states.remove(at: position)
    }
    states.append(state)
    all[table] = states
  }

  mutating func apply(_ change: TableChange) {
    switch change {
    case .made(let state): _ = register(state)
    case .changed(let table, let columns): forget(table, unless: columns)
    case .removed(let table): invalidate(table)
    }
  }

  /// Has the table looked at again for the next store, and makes those invalid that read columns
  /// which it does not have any more.
  private mutating func forget(_ table: String, unless columns: Set<String>) {
    for state in all[table] ?? [] where !state.fits(columns) {
      state.invalidate(isChanged: true)
    }
    for key in current.keys where key.table == table { current[key] = nil }
  }

  /// Makes every store of the table invalid.
  private mutating func invalidate(_ table: String) {
    generation += 1
    for state in all.removeValue(forKey: table) ?? [] { state.invalidate() }
    givenNumbers[table] = nil
    for key in current.keys where key.table == table { current[key] = nil }
  }

  /// Makes every store invalid.
  mutating func invalidateAll() {
    for table in Array(all.keys) { invalidate(table) }
  }
}
