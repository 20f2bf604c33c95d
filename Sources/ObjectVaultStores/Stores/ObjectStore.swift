public import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSession

/// The objects of one class in a vault, with operations to insert, update, find and remove them.
///
/// A store is a value that any thread or task can use. Every operation has a synchronous form,
/// which blocks the caller. For `Sendable` classes it also has an asynchronous form, which does
/// not. A store retains its vault until the vault is closed.
///
/// ```swift
/// let students = try vault.store(of: Student.self)
/// try students.insert(Student(name: "Ann"))
/// let found = try students.where("name BEGINSWITH 'A'").all()
/// ```
public struct ObjectStore<T: VaultObject>: Sendable {
  @usableFromInline var access: StoreAccess

  init(database: any Database, state: TableState) {
    access = StoreAccess(database: database, state: state)
  }

  /// The vault of the objects.
  public var database: any Database { access.database }

  package var state: TableState { access.state }

  /// The partition that the store is limited to; `nil` for all objects of the class.
  package var partition: Partition? { access.partition }

  /// The description of the class.
  public var classDescription: ClassDescription { state.description }

  // MARK: Connections

  @inline(__always)
  func read<R>(_ body: (Session) throws -> R) throws -> R { try access.read(body) }

  @inline(__always)
  func write<R>(_ body: (Session) throws -> R) throws -> R { try access.write(body) }

  @inline(__always)
  func transaction<R>(_ body: (Session) throws -> R) throws -> R {
    try access.transaction(body)
  }

  /// The statements of the store, limited to its objects.
  var sql: TableSQL { access.sql }

  /// Calls `body` with the statement of a slot on this connection, or with that of the partition.
  @inline(__always)
  func with<R>(
    _ slot: TableState.Slot, on session: Session, _ body: (Statement) throws -> R
  ) throws -> R {
    try access.with(slot, on: session, body)
  }

  // MARK: Rows

  /// Returns the object of a statement's current row, or the cached one.
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
  /// - Parameters:
  ///   - object: The object.
  ///   - partial: The properties to write; `nil` for all of them.
  ///   - binder: The binder of the statement.
  /// - Throws: Errors of encoding, with the name of the class.
  @inlinable
  @inline(__always)
  func encode(_ object: T, _ partial: PartialUpdate? = nil, into binder: Binder) throws {
    do {
      if let partial, T.self == DynamicObject.self, let object = object as? DynamicObject {
        // It may lack values that are not written, unlike an object of a Swift type.
        try object.encode(partial.positions, into: binder)
      } else {
        try object.encode(into: binder)
      }
    } catch {
      throw access.naming(error)
    }
  }

  /// Returns the objects of all rows of a statement.
  func objects(_ statement: Statement) throws -> [T] {
    let kept = try keptObjectsOfRows()
    var objects: [T] = []
    while try statement.step() { objects.append(try object(statement, kept)) }
    return objects
  }

  /// Returns the object ID of an object.
  ///
  /// - Throws: `.noObjectID` if the object has none.
  @inlinable
  func objectID(of object: T) throws -> T.ObjectIDType {
    guard let id = object.storedObjectID else { throw access.noObjectID }
    return id
  }
}
