public import ObjectVaultEngine

/// The objects of one class in a vault: the way in for insert, update, find and remove.
///
/// A store is a value that may be used from any thread or task. Every operation has a synchronous
/// form, which blocks the caller, and, for classes that are `Sendable`, an asynchronous one, which
/// does not. A store keeps its vault open until the vault is closed.
public struct ObjectStore<T: VaultObject>: Sendable {
  @usableFromInline var access: StoreAccess

  init(vault: Vault, state: TableState) {
    access = StoreAccess(vault: vault, state: state)
  }

  /// The vault the objects are in.
  public var vault: Vault { access.vault }

  var state: TableState { access.state }

  /// The objects that the store is limited to; `nil` for all of the class.
  var partition: Partition? { access.partition }

  /// What the vault knows of the class.
  public var classDescription: ClassDescription { state.description }

  // MARK: Ways to the connections

  @inline(__always)
  func read<R>(_ body: (VaultConnection) throws -> R) throws -> R { try access.read(body) }

  @inline(__always)
  func write<R>(_ body: (VaultConnection) throws -> R) throws -> R { try access.write(body) }

  @inline(__always)
  func transaction<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    try access.transaction(body)
  }

  /// The statements of the store, which find none but its objects.
  var sql: TableSQL { access.sql }

  /// Calls `body` with a slot's statement on this connection, or that of the partition.
  @inline(__always)
  func with<R>(
    _ slot: TableState.Slot, on connection: VaultConnection, _ body: (Statement) throws -> R
  ) throws -> R {
    try access.with(slot, on: connection, body)
  }

  // MARK: Rows

  /// Makes the object of the row a statement stands on, or takes the one that is kept.
  @inline(__always)
  func object(_ statement: Statement, _ kept: KeptObjects<T>? = nil) throws -> T {
    do {
      let row = statement.row(layout: state.layout)
      if let kept { return try kept.object(row) }
      return try T(row: row)
    } catch {
      throw classDescription.naming(error)
    }
  }

  /// Binds the properties of an object.
  ///
  /// - Parameter partial: What is written of the object; `nil` for all of it.
  @inlinable
  @inline(__always)
  func encode(_ object: T, _ partial: PartialUpdate? = nil, into binder: Binder) throws {
    do {
      if let partial, T.self == DynamicObject.self, let object = object as? DynamicObject {
        // It may lack values that are not written, which a Swift type cannot.
        try object.encode(partial.positions, into: binder)
      } else {
        try object.encode(into: binder)
      }
    } catch {
      throw access.naming(error)
    }
  }

  /// The objects of all rows a statement gives.
  func objects(_ statement: Statement) throws -> [T] {
    let kept = try keptObjectsOfRows()
    var objects: [T] = []
    while try statement.step() { objects.append(try object(statement, kept)) }
    return objects
  }

  /// The objectID of an object.
  ///
  /// - Throws: `.noObjectID` where it has none.
  @inlinable
  func objectID(of object: T) throws -> T.ObjectIDType {
    guard let id = object.storedObjectID else { throw access.noObjectID }
    return id
  }
}
