// The asynchronous forms of the common operations: the synchronous one on an executor of the
// database. Each also throws `.cancelled` if its task is cancelled. The others run inside `read` or
// `transaction`.

public import ObjectVaultModel
import ObjectVaultSession

/// Stored objects that can be read: those of a store, or of a query on it.
public protocol Queryable<T>: Sendable {
  /// The type of the objects.
  associatedtype T: VaultObject

  /// The query for the objects.
  var query: Query<T> { get }
}

extension ObjectStore: Queryable {}

extension Query: Queryable {
  /// The query itself.
  public var query: Query { self }
}

extension ObjectStore where T: Sendable {
  package func reading<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await database.onExecutor(.read, body)
  }

  func writing<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await database.onExecutor(.write, sharing: true, body)
  }

  /// Inserts a new object without blocking the caller's thread; see ``insert(_:owned:)->T``.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - owned: The handling of its owned objects.
  /// - Returns: The object with its object ID.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  @discardableResult
  public func insert(_ object: T, owned: OwnedSaving = .save) async throws -> T {
    try await writing { try insert(object, owned: owned) }
  }

  /// Inserts new objects without blocking the caller's thread, in one transaction.
  ///
  /// No object is inserted if one fails or the task is cancelled.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - owned: The handling of their owned objects.
  /// - Returns: The object IDs, in the order of the objects.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  @discardableResult
  public func insert(
    contentsOf objects: some Sequence<T> & Sendable, owned: OwnedSaving = .save
  ) async throws -> [T.ObjectIDType] {
    try await writing { try insert(contentsOf: objects, owned: owned) }
  }

  /// Updates or inserts an object without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - owned: The handling of its owned objects.
  /// - Returns: The object with its object ID.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  @discardableResult
  public func save(_ object: T, owned: OwnedSaving = .save) async throws -> T {
    try await writing { try save(object, owned: owned) }
  }

  /// Updates all properties of a stored object without blocking the caller's thread.
  ///
  /// New owned objects are not assigned their object IDs: continue with the object that
  /// ``save(_:owned:)->T`` returns, or fetch the object again.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - owned: The handling of its owned objects.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func update(_ object: T, owned: OwnedSaving = .save) async throws {
    try await writing { try update(object, owned: owned) }
  }

  /// Removes a stored object without blocking the caller's thread.
  ///
  /// - Parameter object: The object.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func remove(_ object: T) async throws {
    try await writing { try remove(object) }
  }

  /// Returns the object stored under an object ID without blocking the caller's thread.
  ///
  /// - Parameter id: The object ID.
  /// - Returns: The object, or `nil`.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func find(_ id: T.ObjectIDType) async throws -> T? {
    try await reading { try find(id) }
  }
}

extension Queryable where T: Sendable {
  /// Returns the objects without blocking the caller's thread.
  ///
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func all() async throws -> [T] {
    let query = query
    return try await query.store.reading { try query.all() }
  }

  /// Returns the first object without blocking the caller's thread.
  ///
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func first() async throws -> T? {
    let query = query
    return try await query.store.reading { try query.first() }
  }

  /// Returns the number of objects without blocking the caller's thread.
  ///
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func count() async throws -> Int {
    let query = query
    return try await query.store.reading { try query.count() }
  }
}
