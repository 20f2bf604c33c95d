/// The objects of a query, one after another, for `for try await`.
///
/// A few objects are read ahead at a time, and no more before those are taken: however many there
/// are, memory holds one batch. All are as they were when the first was asked for; until the last was
/// given, or the iteration is given up, it holds a reading connection and what the file was then, so
/// that the log of later changes grows. Cancelling the task ends the reading.
///
/// An order that no index serves is made by the engine, in memory, before the first object comes.
///
/// ```swift
/// for try await student in try students.where("age >= 18").objects { … }
/// ```
public struct ObjectStream<T: VaultObject & Sendable>: AsyncSequence, Sendable {
  /// An object.
  public typealias Element = T

  let query: Query<T>
  let batchSize: Int

  /// Begins a new iteration; nothing is read before its first object is asked for.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      reader: StreamReader(query.store.vault, batchSize: batchSize) { [query] in
        try ObjectCursor(query)
      })
  }

  /// One iteration over the objects.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let reader: StreamReader<T>

    /// The next object, or `nil` after the last.
    ///
    /// - Throws: ``VaultError``; the iteration is over then. `.cancelled` when the task is cancelled,
    ///   `.invalidated` when the table or the vault was removed, `.asyncInTransaction` inside a
    ///   transaction of the vault.
    public mutating func next() async throws -> T? {
      try await reader.next()
    }
  }
}

extension ObjectCursor: StreamedCursor {}

extension Query where T: Sendable {
  /// The objects one after another, for `for try await`, in memory that does not grow with their
  /// number.
  ///
  /// - Parameter batchSize: How many objects are read ahead at a time; 128 unless said otherwise. Take
  ///   fewer where objects are large.
  /// - Throws: ``VaultError`` `.invalidArgument` for a size below 1.
  public func stream(batchSize: Int = 128) throws -> ObjectStream<T> {
    try StreamReader<T>.check(batchSize: batchSize)
    return ObjectStream(query: self, batchSize: batchSize)
  }

  /// The objects one after another, for `for try await`, in memory that does not grow with their
  /// number.
  public var objects: ObjectStream<T> { ObjectStream(query: self, batchSize: 128) }
}

extension ObjectStore where T: Sendable {
  /// Every object, one after another; see ``Query/objects``.
  public var objects: ObjectStream<T> { query.objects }
}
