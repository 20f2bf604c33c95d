import ObjectVaultCondition
import ObjectVaultEngine

/// The objects that one read scope has read, each once: the field's identity map.
///
/// It goes with its scope, which is on one thread and sees one state of the file. So nothing in it can be
/// out of date, and no object in it is met by two threads.
@usableFromInline
final class IdentityMap {
  private let limit: Int
  private var count = 0
  private var classes: [ObjectIdentifier: KeptClass] = [:]

  /// - Parameter limit: How many objects are kept at most, of all classes together; one or more.
  init(limit: Int) { self.limit = limit }

  /// What is kept for the stores of a table; `nil` where none of them asked yet.
  @inline(__always)
  func kept(_ state: TableState) -> KeptClass? { classes[ObjectIdentifier(state)] }

  fileprivate func add(_ kept: KeptClass) { classes[ObjectIdentifier(kept.state)] = kept }

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
  /// Kept so that no other table's state can take its place in memory, by which it is found.
  let state: TableState
  unowned let map: IdentityMap

  init(_ state: TableState, _ map: IdentityMap) {
    self.state = state
    self.map = map
    map.add(self)
  }

  func empty() {}
}

/// The objects of one Swift type that an identity map keeps, by their objectIDs.
///
/// An object is kept under an objectID only where its row has just that: two rows that are read as one
/// objectID, such as texts that are no UTF-8, are not taken for one another.
@usableFromInline
final class KeptObjects<T: VaultObject>: KeptClass {
  @usableFromInline var objects: [ExactID<T.ObjectIDType>: T] = [:]
  /// Where the objectID stands in a row, where it is a number; -1 for others.
  private let numberPosition: Int

  @usableFromInline
  init(_ access: StoreAccess, in map: IdentityMap) {
    let positions = access.state.objectIDPositions
    numberPosition = positions.count == 1 && ExactID<T.ObjectIDType>.isNumber ? positions[0] : -1
    super.init(access.state, map)
  }

  /// The object kept under an objectID.
  @inlinable
  subscript(id: T.ObjectIDType) -> T? { objects[ExactID(id)] }

  /// The object of a row: the one that is kept, or a new one, which is kept from now on.
  func object(_ row: Row) throws -> T {
    if let id = number(of: row) {
      if let kept = objects[id] { return kept }
      let object = try T(row: row)
      keep(object, id)
      return object
    }
    let object = try T(row: row)
    guard let id = object.storedObjectID, isObjectID(id, of: row) else { return object }
    if let kept = objects[ExactID(id)] { return kept }
    keep(object, ExactID(id))
    return object
  }

  /// Takes the objects that are kept in the place of those that were read again, and keeps the others.
  /// Objects whose objectIDs are no numbers are left as they are.
  func merge(_ read: inout [T]) {
    guard numberPosition >= 0 else { return }
    for index in read.indices {
      guard let id = read[index].storedObjectID.map({ ExactID($0) }) else { continue }
      if let kept = objects[id] { read[index] = kept } else { keep(read[index], id) }
    }
  }

  /// Keeps what was found under an objectID, where that is the object's own.
  func keep(_ object: T, foundUnder id: T.ObjectIDType) {
    let id = ExactID(id)
    guard object.storedObjectID.map({ ExactID($0) }) == id, objects[id] == nil else { return }
    keep(object, id)
  }

  private func keep(_ object: T, _ id: ExactID<T.ObjectIDType>) {
    map.makeRoom()
    objects[id] = object
  }

  private func number(of row: Row) -> ExactID<T.ObjectIDType>? {
    guard numberPosition >= 0, row.holdsInteger(at: numberPosition) else { return nil }
    return T.ObjectIDType(rowID: row.integer(at: numberPosition)).map { ExactID($0) }
  }

  private func isObjectID(_ id: T.ObjectIDType, of row: Row) -> Bool {
    guard let parts = try? id.objectIDParts, parts.count == state.objectIDPositions.count
    else { return false }
    return zip(state.objectIDPositions, parts).allSatisfy { row.storedValue(at: $0) == $1 }
  }

  override func empty() {
    // An object's deinitializer may ask the vault for others.
    let gone = objects
    objects = [:]
    withExtendedLifetime(gone) {}
  }
}
