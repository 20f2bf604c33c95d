import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSession
import Synchronization

/// The identity map of one read scope: the objects that it has read, each once.
///
/// It ends with its scope, which belongs to one thread and one snapshot. So its objects are never
/// out of date and never shared by two threads.
@usableFromInline
final class IdentityMap {
  /// The number of identity maps of all threads.
  private static let number = Atomic<Int>(0)
  /// The sessions of the file, and that of the scope.
  fileprivate let sessions: SessionPool
  private let session: Session
  private let limit: Int
  private var count = 0
  private var classes: [ObjectIdentifier: KeptClass] = [:]
  /// The last class used, because the same one usually follows.
  @exclusivity(unchecked) fileprivate var last: KeptClass?

  /// Creates an identity map.
  ///
  /// - Parameters:
  ///   - sessions: The sessions of the file.
  ///   - session: The session of the scope.
  ///   - limit: The largest number of cached objects of all classes together, at least 1.
  init(_ sessions: SessionPool, _ session: Session, limit: Int) {
    self.sessions = sessions
    self.session = session
    self.limit = limit
    Self.number.wrappingAdd(1, ordering: .relaxed)
  }

  deinit { Self.number.wrappingSubtract(1, ordering: .relaxed) }

  /// Whether any thread may be in a caching read scope.
  ///
  /// Every read checks this first, so that programs without such scopes pay nothing for them.
  @usableFromInline
  static var mayExist: Bool { number.load(ordering: .relaxed) != 0 }

  /// Returns the identity map for a store's reads on this thread: that of its read scope.
  ///
  /// The result is `nil` inside a transaction of the thread, which sees uncommitted changes, and
  /// for a store that is limited or omits owned objects.
  ///
  /// - Parameter access: The store.
  /// - Returns: The map, or `nil`.
  /// - Throws: The errors that a read throws before it uses the engine.
  static func current(for access: StoreAccess) throws -> IdentityMap? {
    guard ThreadState.current.identityMap != nil, access.isWhole else { return nil }
    let opened = try access.database.opened()
    try access.table.checkValid()
    guard !opened.sessions.writerLock.isHeldByCurrentThread,
      let map = opened.sessions.currentScope?.identityMap
    else { return nil }
    try map.check()
    try Cancellation.check()
    return map
  }

  /// Throws if the file must not be read any more.
  @inline(never)
  fileprivate func check() throws { try sessions.check(session) }

  /// Returns the cached objects of a table's stores; `nil` before their first use.
  func kept(_ table: Table) -> KeptClass? {
    guard let kept = classes[ObjectIdentifier(table)] else { return nil }
    last = kept
    return kept
  }

  fileprivate func add(_ kept: KeptClass) {
    classes[ObjectIdentifier(kept.table)] = kept
    last = kept
  }

  /// Counts one more object; at the limit, releases all others first.
  fileprivate func makeRoom() {
    if count >= limit {
      count = 0
      for kept in classes.values { kept.empty() }
    }
    count += 1
  }
}

/// The cached objects of one class in an identity map.
@usableFromInline
class KeptClass {
  /// The database and the table of the first store.
  private let link: DatabaseLink
  fileprivate let table: Table
  /// The map, which an iteration retains.
  fileprivate unowned let map: IdentityMap

  fileprivate init(_ access: StoreAccess, _ map: IdentityMap) {
    link = access.link
    table = access.table
    self.map = map
    map.add(self)
  }

  /// Returns the scope's cached objects of the last class used if it is the class of this store.
  ///
  /// The result is `nil` if anything forbids their use; then use ``IdentityMap/current(for:)``.
  ///
  /// Retaining an object with weak references, such as the file, is slow even for a moment.
  /// Therefore the handle and the table are passed as identifiers, and the checks are separate
  /// methods that use the references of `self`.
  ///
  /// - Parameters:
  ///   - handle: The identifier of the database's handle.
  ///   - table: The identifier of the table.
  /// - Returns: The cached objects, or `nil`.
  /// - Throws: `.replaced`, as a read.
  @usableFromInline
  static func ofLastStore(
    _ handle: ObjectIdentifier, _ table: ObjectIdentifier
  ) throws -> KeptClass? {
    let thread = ThreadState.current
    guard let map = thread.identityMap, let kept = map.last, kept.isOf(handle, table),
      kept.isUsable(in: map), thread.cancellation?.isCancelled != true
    else { return nil }
    try map.check()
    return kept
  }

  private func isOf(_ handle: ObjectIdentifier, _ table: ObjectIdentifier) -> Bool {
    ObjectIdentifier(self.table) == table && ObjectIdentifier(link.handle) == handle
  }

  @inline(never)
  private func isUsable(in map: IdentityMap) -> Bool {
    table.isValid && link.handle.isOpen(on: map.sessions)
      && !map.sessions.writerLock.isHeldByCurrentThread
  }

  fileprivate func empty() {}

  /// The map, for an iteration that can outlive the caching scope inside its own scope.
  var retainedMap: IdentityMap { map }
}

/// The cached objects of one Swift type in an identity map, by their object IDs.
///
/// An object is cached only if its row stores exactly its object ID. Two rows that decode to the
/// same object ID, such as invalid UTF-8 texts, are never confused.
@usableFromInline
final class KeptObjects<T: VaultObject>: KeptClass {
  // Hashing and comparing an object ID may run application code that uses the vault. So the
  // dictionary is neither read nor changed in place.

  @exclusivity(unchecked) @usableFromInline var objects: [ExactID<T.ObjectIDType>: T] = [:]
  /// The objects with nearby numbers as object IDs, which are not in the dictionary.
  @exclusivity(unchecked) @usableFromInline var near = NearNumbers<T>()
  /// The position of a numeric object ID in a row; -1 for others.
  private let numberPosition: Int

  override init(_ access: StoreAccess, _ map: IdentityMap) {
    let positions = access.table.objectIDPositions
    numberPosition = positions.count == 1 && ExactID<T.ObjectIDType>.isNumber ? positions[0] : -1
    super.init(access, map)
  }

  /// Returns the object cached under an object ID.
  @inlinable
  subscript(id: T.ObjectIDType) -> T? {
    let id = ExactID(id)
    if let number = id.number, let object = near[number] { return object }
    let objects = objects
    return objects.isEmpty ? nil : objects[id]
  }

  /// Returns the object of a row: the cached one, or a new one that is then cached.
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

  /// Replaces objects that are already cached with the cached ones, and caches the others.
  ///
  /// Objects without numeric object IDs are left unchanged.
  func merge(_ read: inout [T]) {
    guard numberPosition >= 0 else { return }
    for index in read.indices {
      guard let id = read[index].storedObjectID else { continue }
      if let kept = self[id] { read[index] = kept } else { keep(read[index], id) }
    }
  }

  /// Caches an object found under an object ID if that equals the object's own.
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
    guard let parts = try? id.objectIDParts, parts.count == table.objectIDPositions.count
    else { return false }
    return zip(table.objectIDPositions, parts).allSatisfy { position, part in
      // Invalid UTF-8 text is repaired when it is read as a value.
      if case .text = part, row.validText(at: position) == nil { return false }
      return row.storedValue(at: position) == part
    }
  }

  override fileprivate func empty() {
    // An object's deinitialiser may request other objects from the vault.
    let gone = (objects, near)
    objects = [:]
    near = NearNumbers()
    withExtendedLifetime(gone) {}
  }
}
