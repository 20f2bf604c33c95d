// The asynchronous form of every operation: the synchronous one, on a thread of the vault's own.

extension ObjectStore where T: Sendable {
  func reading<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await vault.onLane(.read, body)
  }

  func writing<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await vault.onLane(.write, sharing: true, body)
  }

  /// Stores a new object without blocking the caller's thread; see ``insert(_:)-(T)->T``.
  @discardableResult
  public func insert(_ object: T, owned: OwnedSaving = .save) async throws -> T {
    try await writing { try insert(object, owned: owned) }
  }

  /// Stores new objects without blocking the caller's thread: all of them, or none where one fails
  /// or the task is cancelled.
  @discardableResult
  public func insert(
    contentsOf objects: some Sequence<T> & Sendable, owned: OwnedSaving = .save
  ) async throws -> [T.ObjectIDType] {
    try await writing { try insert(contentsOf: objects, owned: owned) }
  }

  /// Stores an object in the place of those in its way without blocking the caller's thread.
  @discardableResult
  public func replace(_ object: T, owned: OwnedSaving = .save) async throws -> T {
    try await writing { try replace(object, owned: owned) }
  }

  /// Updates or inserts an object without blocking the caller's thread.
  @discardableResult
  public func save(_ object: T, owned: OwnedSaving = .save) async throws -> T {
    try await writing { try save(object, owned: owned) }
  }

  /// Updates or inserts objects without blocking the caller's thread: all of them, or none.
  @discardableResult
  public func save(
    contentsOf objects: some Sequence<T> & Sendable, owned: OwnedSaving = .save
  ) async throws -> [T.ObjectIDType] {
    try await writing { try save(contentsOf: objects, owned: owned) }
  }

  /// Writes every property of a stored object without blocking the caller's thread.
  public func update(_ object: T, owned: OwnedSaving = .save) async throws {
    try await writing { try update(object, owned: owned) }
  }

  /// Writes the named properties of a stored object without blocking the caller's thread.
  public func update(_ object: T, only properties: String...) async throws {
    try await writing { try update(object, only: properties) }
  }

  /// Writes the named properties of a stored object without blocking the caller's thread.
  public func update(_ object: T, only properties: [String]) async throws {
    try await writing { try update(object, only: properties) }
  }

  /// Writes every property of stored objects without blocking the caller's thread: all of them, or
  /// none.
  public func update(
    contentsOf objects: some Sequence<T> & Sendable, owned: OwnedSaving = .save
  ) async throws {
    try await writing { try update(contentsOf: objects, owned: owned) }
  }

  /// Writes the named properties of stored objects without blocking the caller's thread: all of the
  /// objects, or none.
  public func update(
    contentsOf objects: some Sequence<T> & Sendable, only properties: String...
  ) async throws {
    try await writing { try update(contentsOf: objects, only: properties) }
  }

  /// Writes the named properties of stored objects without blocking the caller's thread: all of the
  /// objects, or none.
  public func update(
    contentsOf objects: some Sequence<T> & Sendable, only properties: [String]
  ) async throws {
    try await writing { try update(contentsOf: objects, only: properties) }
  }

  /// Gives a stored object another objectID without blocking the caller's thread.
  public func changeID(of id: T.ObjectIDType, to newID: T.ObjectIDType) async throws {
    try await writing { try changeID(of: id, to: newID) }
  }

  /// Removes a stored object without blocking the caller's thread.
  public func remove(_ object: T) async throws {
    try await writing { try remove(object) }
  }

  /// Removes the object stored under an objectID without blocking the caller's thread.
  public func remove(id: T.ObjectIDType) async throws {
    try await writing { try remove(id: id) }
  }

  /// Removes stored objects without blocking the caller's thread: all of them, or none.
  public func remove(contentsOf objects: some Sequence<T> & Sendable) async throws {
    try await writing { try remove(contentsOf: objects) }
  }

  /// Removes the objects stored under objectIDs without blocking the caller's thread: all, or none.
  public func remove(ids: some Sequence<T.ObjectIDType> & Sendable) async throws {
    try await writing { try remove(ids: ids) }
  }

  /// Removes every object without blocking the caller's thread.
  @discardableResult
  public func removeAll() async throws -> Int {
    try await writing { try removeAll() }
  }

  /// The object stored under an objectID, without blocking the caller's thread.
  public func find(_ id: T.ObjectIDType) async throws -> T? {
    try await reading { try find(id) }
  }

  /// The objects stored under objectIDs, without blocking the caller's thread.
  public func find(_ ids: some Sequence<T.ObjectIDType> & Sendable) async throws -> [T] {
    try await reading { try find(ids) }
  }

  /// Whether an object is stored under an objectID, without blocking the caller's thread.
  public func contains(id: T.ObjectIDType) async throws -> Bool {
    try await reading { try contains(id: id) }
  }

  /// Every object, without blocking the caller's thread.
  public func all() async throws -> [T] { try await query.all() }

  /// The object inserted first, without blocking the caller's thread.
  public func first() async throws -> T? { try await query.first() }

  /// How many objects there are, without blocking the caller's thread.
  public func count() async throws -> Int { try await query.count() }
}

extension Query where T: Sendable {
  /// The objects, without blocking the caller's thread.
  public func all() async throws -> [T] {
    try await store.reading { try all() }
  }

  /// The first object, without blocking the caller's thread.
  public func first() async throws -> T? {
    try await store.reading { try first() }
  }

  /// How many objects there are, without blocking the caller's thread.
  public func count() async throws -> Int {
    try await store.reading { try count() }
  }

  /// Whether there is an object, without blocking the caller's thread.
  public func exists() async throws -> Bool {
    try await store.reading { try exists() }
  }

  /// Calls `body` with each object on a thread of the vault's own, one in memory at a time.
  public func forEach(_ body: @escaping @Sendable (T) throws -> Void) async throws {
    try await store.reading { try forEach(body) }
  }

  /// Removes the objects, without blocking the caller's thread.
  @discardableResult
  public func remove() async throws -> Int {
    try await store.writing { try remove() }
  }
}
