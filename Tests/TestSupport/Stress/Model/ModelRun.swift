internal import Foundation
internal import ObjectVaultCore

/// A difference between the vault and the model.
struct ModelMismatch: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Random operations on a vault and on a model.
///
/// Any difference ends the run.
package final class ModelRun {
  let folder: TemporaryFolder
  var random: SeededGenerator
  var state: ModelState
  var edition = ModelEdition()
  /// Two handles of the same file.
  ///
  /// Each operation uses one of them at random.
  var handles: [ModelHandle] = []
  /// The number from which the current key is derived.
  var keyNumber = 0
  /// The transaction depth of the current operation.
  var depth = 0
  /// The number of operations by name.
  package private(set) var counts: [String: Int] = [:]
  package private(set) var operations = 0
  /// The latest operations, for a report.
  private var trace: [String] = []

  package init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    random = SeededGenerator(seed: seed)
    state = ModelState(edition.classes)
    try open()
  }

  deinit { close() }

  var path: String { folder.file("model.vault") }
  var key: VaultKey { .raw((0..<32).map { UInt8(truncatingIfNeeded: keyNumber + $0 + 1) }) }

  func open() throws {
    handles = try (0..<2).map { _ in
      let vault = try Vault(at: path, key: key)
      return try ModelHandle(vault, edition)
    }
  }

  func close() {
    for handle in handles { handle.vault.close() }
    handles = []
  }

  var handle: ModelHandle { handles[Int.random(in: 0..<handles.count, using: &random)] }

  // MARK: Running

  /// Performs operations until their number reaches a limit, and compares everything at the end.
  ///
  /// Returns the difference with the latest operations, or `nil` if there is none.
  package func run(operations limit: Int) -> String? {
    do {
      while operations < limit {
        try step()
        if operations.isMultiple(of: 20) { try compareAll() }
      }
      try compareAll()
      try reopen()
      try compareAll()
      return nil
    } catch {
      let latest = trace.suffix(25).joined(separator: "\n  ")
      return "after \(operations) operations: \(error)\nthe latest operations:\n  \(latest)"
    }
  }

  func note(_ name: String, _ detail: @autoclosure () -> String = "") {
    operations += 1
    counts[name, default: 0] += 1
    trace.append(String(repeating: "  ", count: depth) + "\(operations) \(name) \(detail())")
    if trace.count > 200 { trace.removeFirst(100) }
  }

  func remark(_ text: String) { trace.append("    \(text)") }

  private func step() throws {
    switch Int.random(in: 0..<1000, using: &random) {
    case ..<4: try migrate()
    case ..<12: try reopen()
    case ..<14: try rekey()
    case ..<16: try restore()
    case ..<20: try dropRemoved()
    case ..<100: try transact()
    default: try stepInTransaction()
    }
  }

  func stepInTransaction() throws {
    switch Int.random(in: 0..<100, using: &random) {
    case ..<22: try insert()
    case ..<26: try insertSeveral()
    case ..<38: try update()
    case ..<41: try updateByQuery()
    case ..<48: try remove()
    case ..<50: try removeByQuery()
    case ..<54: try plan()
    case ..<59: try changeID()
    case ..<71: try query()
    case ..<78: try search()
    case ..<94: try saveOwned()
    case ..<97: try circle()
    default: try find()
    }
  }

  // MARK: Comparing

  /// Calls an operation that must fail with one of the codes, or succeed if there are none.
  ///
  /// Returns whether it succeeded.
  @discardableResult
  func attempt(_ codes: Set<VaultError.Code>, _ body: () throws -> Void) throws -> Bool {
    do {
      try body()
    } catch let error as VaultError where codes.contains(error.code) {
      remark("fails: \(error.code)")
      return false
    }
    guard codes.isEmpty else {
      throw ModelMismatch("succeeded instead of failing with \(codes.map(\.description).sorted())")
    }
    return true
  }

  /// Returns the codes with which a change of the model fails, or an empty set if it succeeds.
  func refusal(_ body: (inout ModelState) throws -> Void) throws -> Set<VaultError.Code> {
    var copy = state
    do {
      try body(&copy)
      return []
    } catch let refusal as ModelRefusal {
      return refusal.codes
    }
  }

  func expect<T: Equatable>(_ found: T, _ expected: T, _ what: @autoclosure () -> String) throws {
    guard found == expected else {
      throw ModelMismatch(
        "\(what()): the vault has \("\(found)".prefix(2000)), the model \("\(expected)".prefix(2000))"
      )
    }
  }

  /// Checks that a generated number is new.
  func checkIsNew(_ id: StoredValue, of key: String) throws {
    guard case .integer(let number) = id, number > state.greatest[key] ?? 0 else {
      throw ModelMismatch(
        "a new object of \(key) has objectID \(id), and \(state.greatest[key] ?? 0) was given before"
      )
    }
  }

  /// Compares all objects of all classes.
  func compareAll() throws {
    let handle = handle
    let body = {
      for key in ModelEdition.dynamicKeys {
        try self.compare(handle.stores[key]!.all(), key)
      }
      try self.compareOwned(handle)
    }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: try body()
    case 1: try handle.vault.read(body)
    default: try handle.vault.read(caching: .objects(100), body)
    }
  }

  private func compare(_ objects: [DynamicObject], _ key: String) throws {
    let rows = state.rows(key)
    try expect(
      objects.map { try id(of: $0) }, rows.map(\.id), "the objectIDs of \(key)")
    for (index, object) in objects.enumerated() {
      adoptFreeValues(of: object, key, index)
      let row = state.rows(key)[index]
      for (name, value) in zip(state.type(key).valueNames, object.allValues)
      where value != row[name] {
        throw ModelMismatch(
          "\(name) of \(key) \(row.id): the vault has \(value), the model \(row[name])")
      }
    }
  }

  /// Adopts the file's value of a note, which can be empty or the former default.
  private func adoptFreeValues(of object: DynamicObject, _ key: String, _ index: Int) {
    for (name, value) in zip(state.type(key).valueNames, object.allValues)
    where state.rows(key)[index].values[name] == nil {
      guard value.isNull || value == ModelEdition.defaultNote else { continue }
      state.adopt(value, name, at: index, of: key)
    }
  }

  func id(of object: DynamicObject) throws -> StoredValue {
    guard let id = object.storedObjectID?.objectIDParts.first else {
      throw ModelMismatch("an object has no objectID")
    }
    return id
  }
}

/// A handle of the vault with its stores.
struct ModelHandle {
  let vault: Vault
  let stores: [String: ObjectStore<DynamicObject>]
  let shelves: ObjectStore<Shelf>
  let books: ObjectStore<Book>
  let chapters: ObjectStore<Chapter>
  let covers: ObjectStore<Cover>

  /// Creates the stores, which migrates the file to the edition in one transaction.
  init(_ vault: Vault, _ edition: ModelEdition) throws {
    self.vault = vault
    shelves = try vault.store(of: Shelf.self)
    books = try vault.store(of: Book.self)
    chapters = try vault.store(of: Chapter.self)
    covers = try vault.store(of: Cover.self)
    let classes = edition.classes
    let descriptions = ModelEdition.dynamicKeys.map { classes[$0]!.description(among: classes) }
    var stores: [String: ObjectStore<DynamicObject>] = [:]
    for (key, description) in zip(ModelEdition.dynamicKeys, descriptions) {
      stores[key] = try vault.store(
        of: description, with: descriptions.filter { $0 != description })
    }
    self.stores = stores
  }
}
