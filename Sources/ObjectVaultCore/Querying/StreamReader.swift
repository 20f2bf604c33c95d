/// A lazy iteration that a stream reads from, batch by batch.
protocol StreamedCursor<Element>: AnyObject {
  associatedtype Element

  /// The next element, or `nil` after the last.
  func next() throws -> Element?

  /// Lets the operation that the thread runs now be cancelled while the cursor reads for it.
  func beginWatching()

  /// Ends what ``beginWatching()`` began.
  func endWatching()
}

/// The state of one iteration over a stream. One task at a time uses it, and the threads that read for
/// it one after another.
final class StreamReader<Element: Sendable>: @unchecked Sendable {
  private let vault: Vault
  private let batchSize: Int
  private let make: () throws -> any StreamedCursor<Element>
  private var cursor: (any StreamedCursor<Element>)?
  /// What was read and not asked for yet, last first.
  private var ready: [Element] = []
  private var isOver = false

  /// - Parameter make: Begins the iteration, on a thread of the vault's own.
  init(
    _ vault: Vault, batchSize: Int, _ make: @escaping () throws -> any StreamedCursor<Element>
  ) {
    self.vault = vault
    self.batchSize = batchSize
    self.make = make
  }

  func next() async throws -> Element? {
    if isOver { return nil }
    do {
      if Task.isCancelled { throw VaultError.cancelled }
      if ready.isEmpty {
        // The batch is left here, and not returned: the thread would hold it a little longer.
        try await vault.onLane(.read) { try self.read() }
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

  /// Reads a batch, on a thread of the vault's own.
  private func read() throws {
    let cursor = try self.cursor ?? make()
    self.cursor = cursor
    cursor.beginWatching()
    defer { cursor.endWatching() }
    var batch: [Element] = []
    batch.reserveCapacity(batchSize)
    while batch.count < batchSize, let element = try cursor.next() { batch.append(element) }
    batch.reverse()
    ready = batch
  }

  private func end() {
    isOver = true
    ready = []
    cursor = nil
  }

  /// - Throws: `.invalidArgument` for a batch of nothing.
  static func check(batchSize: Int) throws(VaultError) {
    guard batchSize >= 1 else {
      throw VaultError(.invalidArgument, "At least one element is read at a time.")
    }
  }
}
