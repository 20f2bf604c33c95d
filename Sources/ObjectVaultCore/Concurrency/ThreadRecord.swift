import ObjectVaultKeys

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The library's state of one thread.
///
/// It is not task-local: a task created by an operation's closure is not part of the operation. It
/// must not be cancelled with the operation or mistaken for it.
package final class ThreadRecord {
  // Only the thread itself uses the record, and accesses never overlap.

  /// The asynchronous operation on the thread, if any.
  @exclusivity(unchecked) var cancellation: Cancellation?
  /// The number of reader connections that the thread holds, of all vaults.
  @exclusivity(unchecked) var readersHeld = 0
  /// The identifier of the connection that the thread read with last, which may have closed since.
  @exclusivity(unchecked) var lastReader: ObjectIdentifier?
  /// The innermost read scope of the thread, if any.
  @exclusivity(unchecked) var readScope: ReadScope? {
    didSet { scopeLook = readScope.map(ScopeLook.init) }
  }
  /// The facts of that scope that reads need, with an unretained connection that the scope retains.
  @exclusivity(unchecked) private var scopeLook: ScopeLook?
  /// The identity map of the innermost caching read scope.
  @exclusivity(unchecked) var identityMap: IdentityMap?
  /// The thread's transaction of records, if any.
  package var recordScope: AnyObject?
  /// The number of writer locks that the thread holds.
  @exclusivity(unchecked) var gatesHeld = 0
  /// The number of files that the thread is opening or replacing.
  @exclusivity(unchecked) var openingsHeld = 0
  /// The thread.
  let thread = ThreadID.current

  /// The executor of an operation that may end before its commit.
  @exclusivity(unchecked) var lane: Lane?
  /// The commit that the operation awaits when it finishes.
  @exclusivity(unchecked) var awaited: AwaitedCommit?
  /// The file with a transaction that an operation left open for the next one on its executor.
  @exclusivity(unchecked) var leftOpen: VaultFile?

  /// Returns the connection of the innermost read scope if a read needs nothing but its snapshot.
  ///
  /// The scope must belong to the pool. The thread must not be writing or waiting for a commit, and
  /// must not run an operation that can be cancelled.
  ///
  /// - Parameter mark: The pool's ``ReaderPool/mark``.
  /// - Returns: The connection, or `nil`.
  @inline(__always)
  func scopeConnection(of mark: UInt) -> Unmanaged<VaultConnection>? {
    guard let scopeLook, scopeLook.mark == mark, readsAlone,
      scopeLook.process == ProcessNumber.current
    else { return nil }
    return scopeLook.connection
  }

  /// Whether a read neither belongs to the thread's current operation nor must end it first.
  @inline(__always)
  private var readsAlone: Bool { gatesHeld == 0 && awaited == nil && cancellation == nil }

  /// Whether a read needs nothing but the file and is outside any read scope.
  @inline(__always)
  var readsOutsideScopes: Bool { scopeLook == nil && readsAlone }

  /// Whether the thread holds anything else in addition to one writer lock.
  var holdsMore: Bool { gatesHeld > 1 || readersHeld > 0 || openingsHeld > 0 }

  /// Whether the thread holds anything that others may wait for, so that it must not wait for
  /// readers.
  var holdsAny: Bool { readersHeld > 0 || gatesHeld > 0 || openingsHeld > 0 }

  /// Whether the thread holds anything that a replacement may wait for.
  var holdsReaderOrGate: Bool { readersHeld > 0 || gatesHeld > 0 }

  /// Returns the thread's read scope on a pool.
  @inline(__always)
  func readScope(of pool: ReaderPool) -> ReadScope? {
    var scope = readScope
    while let candidate = scope {
      if candidate.isOf(pool) { return candidate }
      scope = candidate.outer
    }
    return nil
  }

  /// The record of the calling thread.
  @inline(__always)
  package static var current: ThreadRecord {
    if let record = pthread_getspecific(key) {
      return Unmanaged<ThreadRecord>.fromOpaque(record).takeUnretainedValue()
    }
    return make()
  }

  private static func make() -> ThreadRecord {
    let record = ThreadRecord()
    // The thread retains it until it ends.
    pthread_setspecific(key, Unmanaged.passRetained(record).toOpaque())
    return record
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let result = pthread_key_create(&key) { record in
      #if canImport(Darwin)
        Unmanaged<ThreadRecord>.fromOpaque(record).release()
      #else
        if let record { Unmanaged<ThreadRecord>.fromOpaque(record).release() }
      #endif
    }
    precondition(result == 0, "The process has no free key for thread-specific data.")
    return key
  }()
}

/// The facts of a read scope that reads need.
private struct ScopeLook {
  let mark: UInt
  let connection: Unmanaged<VaultConnection>
  /// The process that began the scope.
  let process = ProcessNumber.current

  init(_ scope: ReadScope) {
    mark = scope.mark
    connection = .passUnretained(scope.connection)
  }
}
