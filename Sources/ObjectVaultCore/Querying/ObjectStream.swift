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
    AsyncIterator(reader: ObjectStreamReader(query, batchSize: batchSize))
  }

  /// One iteration over the objects.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let reader: ObjectStreamReader<T>

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

/// The state of one iteration. One task at a time uses it, and the threads that read for it one
/// after another.
private final class ObjectStreamReader<T: VaultObject & Sendable>: @unchecked Sendable {
  private let query: Query<T>
  private let batchSize: Int
  private var cursor: ObjectCursor<T>?
  /// Objects that were read and not asked for yet, last first.
  private var ready: [T] = []
  private var isOver = false

  init(_ query: Query<T>, batchSize: Int) {
    self.query = query
    self.batchSize = batchSize
  }

  func next() async throws -> T? {
    if isOver { return nil }
    do {
      if Task.isCancelled { throw VaultError.cancelled }
      if ready.isEmpty {
        // The batch is left here, and not returned: the thread would hold it a little longer.
        try await query.store.reading { try self.read() }
      }
    } catch {
      end()
      throw error
    }
    guard let object = ready.popLast() else {
      end()
      return nil
    }
    return object
  }

  /// Reads a batch, on a thread of the vault's own.
  private func read() throws {
    let cursor = try self.cursor ?? ObjectCursor(query)
    self.cursor = cursor
    cursor.beginWatching()
    defer { cursor.endWatching() }
    var batch: [T] = []
    batch.reserveCapacity(batchSize)
    while batch.count < batchSize, let object = try cursor.next() { batch.append(object) }
    batch.reverse()
    ready = batch
  }

  private func end() {
    isOver = true
    ready = []
    cursor = nil
  }
}

extension Query where T: Sendable {
  /// The objects one after another, for `for try await`, in memory that does not grow with their
  /// number.
  ///
  /// - Parameter batchSize: How many objects are read ahead at a time; 128 unless said otherwise. Take
  ///   fewer where objects are large.
  /// - Throws: ``VaultError`` `.invalidArgument` for a size below 1.
  public func stream(batchSize: Int = 128) throws -> ObjectStream<T> {
    guard batchSize >= 1 else {
      throw VaultError(.invalidArgument, "At least one object is read at a time.")
    }
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
