import ObjectVaultDriver
public import ObjectVaultPlatform

/// The library's state of one thread.
///
/// It is not task-local: a task created by an operation's closure is not part of the operation. It
/// must not be cancelled with the operation or mistaken for it.
@usableFromInline
package final class ThreadState {
  // Only the thread itself uses the state, and accesses never overlap.

  /// The asynchronous operation on the thread, if any.
  @exclusivity(unchecked) @usableFromInline package internal(set) var cancellation: Cancellation?
  /// The number of reader connections that the thread holds, of all vaults.
  @exclusivity(unchecked) var readersHeld = 0
  /// The identifier of the connection that the thread read with last, which may have closed since.
  @exclusivity(unchecked) var lastReader: ObjectIdentifier?
  /// The innermost read scope of the thread, if any.
  @exclusivity(unchecked) var readScope: ReadScope? {
    didSet { scopeLook = readScope.map(ScopeLook.init) }
  }
  /// The facts of that scope that reads need, with an unretained connection that the scope retains.
  @exclusivity(unchecked) @usableFromInline package internal(set) var scopeLook: ScopeLook?
  /// The objects that the innermost caching read scope caches.
  @usableFromInline package var objects: AnyObject?
  /// The thread's transaction of records, if any.
  package var recordScope: AnyObject?
  /// The number of writer locks that the thread holds.
  @exclusivity(unchecked) @usableFromInline package internal(set) var writerLocksHeld = 0
  /// Whether the operation on the thread waited for other ones, in the queue of an executor or for a
  /// writer lock.
  package internal(set) var hasWaited = false
  /// The number of files that the thread is opening or replacing.
  package var openingsHeld = 0
  /// The thread.
  let id = ThreadID.current

  /// The executor of an operation that may end before its commit.
  var executor: ThreadExecutor?
  /// The commit that the operation awaits when it finishes.
  @exclusivity(unchecked) @usableFromInline package internal(set) var awaited: AwaitedCommit?
  /// The transaction that an operation left open for the next one on its executor.
  var leftOpen: AwaitedCommit?

  /// Returns the session of the innermost read scope if a read needs nothing but its snapshot.
  ///
  /// The scope must belong to the pool. The thread must not be writing or waiting for a commit, and
  /// must not run an operation that can be cancelled.
  ///
  /// - Parameter mark: The pool's ``SessionPool/mark``.
  /// - Returns: The session, or `nil`.
  @inlinable @inline(__always)
  package func scopeSession(of mark: UInt) -> Unmanaged<Session>? {
    guard let scopeLook, scopeLook.mark == mark, readsAlone,
      scopeLook.process == ProcessNumber.current
    else { return nil }
    return scopeLook.session
  }

  /// Whether a read neither belongs to the thread's current operation nor must end it first.
  @inlinable @inline(__always)
  var readsAlone: Bool { writerLocksHeld == 0 && awaited == nil && cancellation == nil }

  /// Whether a read needs nothing but the file and is outside any read scope.
  @inlinable @inline(__always)
  package var readsOutsideScopes: Bool { scopeLook == nil && readsAlone }

  /// Whether the thread holds anything else in addition to one writer lock.
  var holdsMore: Bool { writerLocksHeld > 1 || readersHeld > 0 || openingsHeld > 0 }

  /// Whether the thread holds anything that others may wait for, so that it must not wait for
  /// readers.
  var holdsAny: Bool { readersHeld > 0 || writerLocksHeld > 0 || openingsHeld > 0 }

  /// Whether the thread holds anything that a replacement may wait for.
  var holdsReaderOrWriterLock: Bool { readersHeld > 0 || writerLocksHeld > 0 }

  /// Returns the thread's read scope on a pool.
  @inline(__always)
  package func readScope(of pool: SessionPool) -> ReadScope? {
    var scope = readScope
    while let candidate = scope {
      if candidate.isOf(pool) { return candidate }
      scope = candidate.outer
    }
    return nil
  }

  /// The state of the calling thread.
  @inlinable @inline(__always)
  package static var current: ThreadState {
    if let state = pthread_getspecific(key) {
      return Unmanaged<ThreadState>.fromOpaque(state).takeUnretainedValue()
    }
    return make()
  }

  @usableFromInline
  static func make() -> ThreadState {
    let state = ThreadState()
    // The thread retains it until it ends.
    pthread_setspecific(key, Unmanaged.passRetained(state).toOpaque())
    return state
  }

  @usableFromInline static let key: pthread_key_t = {
    var key = pthread_key_t()
    let result = pthread_key_create(&key) { state in
      #if canImport(Darwin)
        Unmanaged<ThreadState>.fromOpaque(state).release()
      #else
        if let state { Unmanaged<ThreadState>.fromOpaque(state).release() }
      #endif
    }
    precondition(result == 0, "The process has no free key for thread-specific data.")
    return key
  }()
}

/// The facts of a read scope that reads need.
@usableFromInline
package struct ScopeLook {
  @usableFromInline let mark: UInt
  @usableFromInline let session: Unmanaged<Session>
  /// The process that began the scope.
  @usableFromInline let process = ProcessNumber.current

  init(_ scope: ReadScope) {
    mark = scope.mark
    session = .passUnretained(scope.session)
  }
}
