package import ObjectVaultDriver
import ObjectVaultSession

/// A lazy iteration that a stream reads in batches.
package protocol StreamedCursor<Element>: AnyObject {
  associatedtype Element

  /// Returns the next element, or `nil` after the last.
  func next() throws -> Element?

  /// Makes the thread's current operation able to cancel the reads of the cursor.
  func beginWatching()

  /// Ends the effect of ``beginWatching()``.
  func endWatching()
}

/// The state of one iteration over a stream.
///
/// One task at a time uses it, and the reading threads use it one after another.
package final class StreamReader<Element: Sendable>: @unchecked Sendable {
  private let database: any Database
  private let batchSize: Int
  private let make: () throws -> any StreamedCursor<Element>
  private var cursor: (any StreamedCursor<Element>)?
  /// The elements read ahead, in reverse order.
  private var ready: [Element] = []
  private var isOver = false

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - database: The database to read.
  ///   - batchSize: The number of elements in a batch.
  ///   - make: Creates the cursor, on a thread of the vault's executor.
  package init(
    _ database: any Database, batchSize: Int,
    _ make: @escaping () throws -> any StreamedCursor<Element>
  ) {
    self.database = database
    self.batchSize = batchSize
    self.make = make
  }

  package func next() async throws -> Element? {
    if isOver { return nil }
    do {
      if Task.isCancelled { throw VaultError.cancelled }
      if ready.isEmpty {
        // The batch stays in `ready` and is not returned: the thread would retain it longer.
        try await database.onExecutor(.read) { try self.read() }
      }
    } catch {
      end()
      throw error
    }
    guard let element = ready.popLast() else {
      end()
      return nil
    }
    return element
  }

  /// Reads a batch on a thread of the vault's executor.
  private func read() throws {
    let cursor = try self.cursor ?? make()
    self.cursor = cursor
    cursor.beginWatching()
    defer { cursor.endWatching() }
    var batch: [Element] = []
    while batch.count < batchSize, let element = try cursor.next() { batch.append(element) }
    batch.reverse()
    ready = batch
  }

  private func end() {
    isOver = true
    ready = []
    cursor = nil
  }

  /// Throws if the batch size is below 1.
  ///
  /// - Parameter batchSize: The number of elements in a batch.
  /// - Throws: `.invalidArgument` for a size below 1.
  package static func check(batchSize: Int) throws(VaultError) {
    guard batchSize >= 1 else {
      throw VaultError(
        .invalidArgument, "The number of elements to read at a time is less than 1. Use 1 or more.")
    }
  }
}
