public import ObjectVaultModel

/// An asynchronous sequence of the objects of a query.
///
/// The stream reads ahead one batch at a time, and the next batch only after you consume the
/// current one. Memory holds one batch, whatever the number of objects. All objects are from one
/// snapshot, taken at the first request. Until the last object is returned or the iteration is
/// abandoned, the stream holds a reading connection and its snapshot, so the log of later changes
/// grows. Cancelling the task ends the reading.
///
/// If no index serves the order, the engine sorts in memory before it returns the first object.
///
/// ```swift
/// for try await student in try students.where("age >= 18").objects { … }
/// ```
public struct ObjectStream<T: VaultObject & Sendable>: AsyncSequence, Sendable {
  /// The type of the objects.
  public typealias Element = T

  let query: Query<T>
  let batchSize: Int

  /// Returns a new iterator, which reads nothing until its first object is requested.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      reader: StreamReader(query.store.database, batchSize: batchSize) { [query, batchSize] in
        try ObjectCursor(query, chunk: batchSize)
      })
  }

  /// One iteration over the objects.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let reader: StreamReader<T>

    /// Returns the next object, or `nil` after the last.
    ///
    /// - Throws: ``VaultError``, which ends the iteration: `.cancelled` if the task is cancelled,
    ///   `.invalidated` if the table or the vault was removed, `.asyncInTransaction` inside a
    ///   transaction of the vault.
    public mutating func next() async throws -> T? {
      try await reader.next()
    }
  }
}

extension ObjectCursor: StreamedCursor {}
