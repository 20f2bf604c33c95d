import ObjectVaultCondition
import ObjectVaultEngine
import Synchronization

/// The objects that one read scope has read, each once: the field's identity map.
///
/// It goes with its scope, which is on one thread and sees one state of the file. So nothing in it can be
/// out of date, and no object in it is met by two threads.
@usableFromInline
final class IdentityMap {
  /// How many there are, of all threads.
  private static let number = Atomic<Int>(0)
  /// The file that the scope reads, and through which connection.
  fileprivate let file: VaultFile
  private let connection: VaultConnection
  private let limit: Int
  private var count = 0
  private var classes: [ObjectIdentifier: KeptClass] = [:]
  /// That which was asked last: mostly it is asked again.
  @exclusivity(unchecked) fileprivate var last: KeptClass?

  /// - Parameter limit: How many objects are kept at most, of all classes together; one or more.
  init(_ file: VaultFile, _ connection: VaultConnection, limit: Int) {
    self.file = file
    self.connection = connection
    self.limit = limit
    Self.number.wrappingAdd(1, ordering: .relaxed)
  }

  deinit { Self.number.wrappingSubtract(1, ordering: .relaxed) }

  /// Whether any thread may be in a read scope that keeps what it reads. It is asked before all else: a
  /// read in a program without such scopes must not pay for them.
  @usableFromInline
  static var mayExist: Bool { number.load(ordering: .relaxed) != 0 }

  /// The map that a store's reads on this thread are to use: that of the read scope which it is in.
  ///
  /// There is none inside a transaction of the thread, which sees what is not committed, and none for a
  /// store that does not see its objects as a whole store of the class does.
  ///
  /// - Throws: What a read throws before it asks the engine.
  static func current(for access: StoreAccess) throws -> IdentityMap? {
    let record = ThreadRecord.current
    guard record.identityMap != nil, access.isWhole else { return nil }
    let file = try access.vault.file()
    try access.state.checkValid()
    guard !file.gate.isHeldByCurrentThread,
      let map = record.readScope(of: file.readers)?.identityMap
    else { return nil }
    try file.checkUsable()
    try map.checkNotReplaced()
    try Cancellation.check()
    return map
  }

  /// - Throws: `.replaced` where another file stands at the path by now.
  @inline(never)
  fileprivate func checkNotReplaced() throws { try file.checkNotReplaced(since: connection) }

  /// What is kept for the stores of a table; `nil` where none of them asked yet.
  func kept(_ state: TableState) -> KeptClass? {
    guard let kept = classes[ObjectIdentifier(state)] else { return nil }
    last = kept
    return kept
  }

  fileprivate func add(_ kept: KeptClass) {
    classes[ObjectIdentifier(kept.state)] = kept
    last = kept
  }

  /// Makes room for one more object: where there is none, all are let go.
  fileprivate func makeRoom() {
    if count >= limit {
      count = 0
      for kept in classes.values { kept.empty() }
    }
    count += 1
  }
}

/// What an identity map keeps of one class.
@usableFromInline
class KeptClass {
  /// The handle and the table of the store that asked first.
  fileprivate let vault: Vault
  fileprivate let state: TableState
  fileprivate unowned let map: IdentityMap

  fileprivate init(_ access: StoreAccess, _ map: IdentityMap) {
    vault = access.vault
    state = access.state
    self.map = map
    map.add(self)
  }

  /// What the thread's read scope keeps of the class that was asked for last, where it is that of this
  /// store and nothing forbids to use it. Otherwise ``IdentityMap/current(for:)`` says more.
  ///
  /// What others refer to weakly, as the file, is dear to hold, even for a moment. So vault and table are
  /// only named, and what looks at them is no part of this: its `self` holds them.
  ///
  /// - Throws: `.replaced`, as a read.
  @usableFromInline
  static func ofLastStore(
    _ vault: ObjectIdentifier, _ state: ObjectIdentifier
  ) throws -> KeptClass? {
    let record = ThreadRecord.current
    guard let map = record.identityMap, let kept = map.last, kept.isOf(vault, state),
      kept.isUsable(in: map), record.cancellation?.isCancelled != true
    else { return nil }
    try map.checkNotReplaced()
    return kept
  }

  private func isOf(_ vault: ObjectIdentifier, _ state: ObjectIdentifier) -> Bool {
    ObjectIdentifier(self.state) == state && ObjectIdentifier(self.vault) == vault
  }

  @inline(never)
  private func isUsable(in map: IdentityMap) -> Bool {
    state.isValid && vault.handle.isOpen(on: map.file) && !map.file.gate.isHeldByCurrentThread
      && !map.file.isRemoved
  }

  fileprivate func empty() {}
}

/// The objects of one Swift type that an identity map keeps, by their objectIDs.
///
/// An object is kept under an objectID only where its row has just that: two rows that are read as one
/// objectID, such as texts that are no UTF-8, are not taken for one another.
@usableFromInline
final class KeptObjects<T: VaultObject>: KeptClass {
  // What hashes or compares an objectID may be the program's, and ask the vault: the dictionary is
  // neither read nor changed in its place.

  @exclusivity(unchecked) @usableFromInline var objects: [ExactID<T.ObjectIDType>: T] = [:]
  /// Those whose objectIDs are numbers near one another, which are not in the dictionary.
  @exclusivity(unchecked) @usableFromInline var near = NearNumbers<T>()
  /// Where the objectID stands in a row, where it is a number; -1 for others.
  private let numberPosition: Int

  override init(_ access: StoreAccess, _ map: IdentityMap) {
    let positions = access.state.objectIDPositions
    numberPosition = positions.count == 1 && ExactID<T.ObjectIDType>.isNumber ? positions[0] : -1
    super.init(access, map)
  }

  /// The object kept under an objectID.
  @inlinable
  subscript(id: T.ObjectIDType) -> T? {
    let id = ExactID(id)
    if let number = id.number, let object = near[number] { return object }
    let objects = objects
    return objects.isEmpty ? nil : objects[id]
  }

  /// The object of a row: the one that is kept, or a new one, which is kept from now on.
  func object(_ row: Row) throws -> T {
    if let id = number(of: row) {
      if let kept = self[id] { return kept }
      let object = try T(row: row)
      keep(object, id)
      return object
    }
    let object = try T(row: row)
    guard let id = object.storedObjectID, isObjectID(id, of: row) else { return object }
    if let kept = self[id] { return kept }
    keep(object, id)
    return object
  }

  /// Takes the objects that are kept in the place of those that were read again, and keeps the others.
  /// Objects whose objectIDs are no numbers are left as they are.
  func merge(_ read: inout [T]) {
    guard numberPosition >= 0 else { return }
    for index in read.indices {
      guard let id = read[index].storedObjectID else { continue }
      if let kept = self[id] { read[index] = kept } else { keep(read[index], id) }
    }
  }

  /// Keeps what was found under an objectID, where that is the object's own.
  func keep(_ object: T, foundUnder id: T.ObjectIDType) {
    guard let own = object.storedObjectID, ExactID(own) == ExactID(id), self[id] == nil
    else { return }
    keep(object, id)
  }

  private func keep(_ object: T, _ id: T.ObjectIDType) {
    map.makeRoom()
    let id = ExactID(id)
    if let number = id.number, near.keep(object, number) { return }
    var changed: [ExactID<T.ObjectIDType>: T] = [:]
    swap(&changed, &objects)
    changed[id] = object
    objects = changed
  }

  private func number(of row: Row) -> T.ObjectIDType? {
    guard numberPosition >= 0, row.holdsInteger(at: numberPosition) else { return nil }
    return T.ObjectIDType(rowID: row.integer(at: numberPosition))
  }

  private func isObjectID(_ id: T.ObjectIDType, of row: Row) -> Bool {
    guard let parts = try? id.objectIDParts, parts.count == state.objectIDPositions.count
    else { return false }
    return zip(state.objectIDPositions, parts).allSatisfy { position, part in
      // A text that is no UTF-8 is mended when it is read as a value.
      if case .text = part, row.validText(at: position) == nil { return false }
      return row.storedValue(at: position) == part
    }
  }

  override fileprivate func empty() {
    // An object's deinitializer may ask the vault for others.
    let gone = (objects, near)
    objects = [:]
    near = NearNumbers()
    withExtendedLifetime(gone) {}
  }
}
