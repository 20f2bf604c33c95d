import ObjectVaultKeys

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the library must know of the calling thread.
///
/// Not task-local: a task that an operation's closure makes is no part of the operation, and must
/// neither be cancelled with it nor be taken for it.
package final class ThreadRecord {
  // Only its own thread uses it, and no access lasts longer than a look.

  /// The asynchronous operation that the thread is running, when there is one.
  @exclusivity(unchecked) var cancellation: Cancellation?
  /// How many reading connections of any vault the thread holds.
  @exclusivity(unchecked) var readersHeld = 0
  /// Names the connection of any vault that the thread read by last, which may have closed since.
  @exclusivity(unchecked) var lastReader: ObjectIdentifier?
  /// The innermost read scope that the thread is in, when it is in one.
  @exclusivity(unchecked) var readScope: ReadScope? {
    didSet { scopeLook = readScope.map(ScopeLook.init) }
  }
  /// What reads look at of that scope, whose connection is not counted: the scope keeps it.
  @exclusivity(unchecked) private var scopeLook: ScopeLook?
  /// What the innermost of its read scopes keeps that keeps something.
  @exclusivity(unchecked) var identityMap: IdentityMap?
  /// The transaction of records that the thread is in, when it is in one.
  package var recordScope: AnyObject?
  /// How many vaults' gates the thread holds.
  @exclusivity(unchecked) var gatesHeld = 0
  /// How many files the thread is opening or replacing.
  @exclusivity(unchecked) var openingsHeld = 0
  /// The thread.
  let thread = ThreadID.current

  /// The lane of an operation that may be over before the commit of what it wrote.
  @exclusivity(unchecked) var lane: Lane?
  /// The commit that the operation waits for when it is done.
  @exclusivity(unchecked) var awaited: AwaitedCommit?
  /// What an operation left open for the next one of its lane.
  @exclusivity(unchecked) var leftOpen: VaultFile?

  /// The connection of the innermost read scope, where that is one of a pool's and where a read inside has
  /// nothing to look at but the snapshot: nothing that the thread is writing, nothing that it waits for,
  /// and no operation that could be cancelled.
  ///
  /// - Parameter mark: The pool's ``ReaderPool/mark``.
  @inline(__always)
  func scopeConnection(of mark: UInt) -> Unmanaged<VaultConnection>? {
    guard let scopeLook, scopeLook.mark == mark, readsAlone,
      scopeLook.process == ProcessNumber.current
    else { return nil }
    return scopeLook.connection
  }

  /// Whether a read is neither part of what the thread is doing nor has to end it first.
  @inline(__always)
  private var readsAlone: Bool { gatesHeld == 0 && awaited == nil && cancellation == nil }

  /// Whether a read has nothing to look at but the file, and is in no read scope.
  @inline(__always)
  var readsOutsideScopes: Bool { scopeLook == nil && readsAlone }

  /// Whether the thread holds more than one gate.
  var holdsMore: Bool { gatesHeld > 1 || readersHeld > 0 || openingsHeld > 0 }

  /// Whether others may be waiting for what this thread holds, so that it must not wait for readers.
  var holdsAny: Bool { readersHeld > 0 || gatesHeld > 0 || openingsHeld > 0 }

  /// Whether a replacement may be waiting for what this thread holds.
  var holdsReaderOrGate: Bool { readersHeld > 0 || gatesHeld > 0 }

  /// The read scope of a pool's vault that the thread is in.
  @inline(__always)
  func readScope(of pool: ReaderPool) -> ReadScope? {
    var scope = readScope
    while let candidate = scope {
      if candidate.isOf(pool) { return candidate }
      scope = candidate.outer
    }
    return nil
  }

  /// That of the calling thread.
  @inline(__always)
  package static var current: ThreadRecord {
    if let record = pthread_getspecific(key) {
      return Unmanaged<ThreadRecord>.fromOpaque(record).takeUnretainedValue()
    }
    return make()
  }

  private static func make() -> ThreadRecord {
    let record = ThreadRecord()
    // The thread keeps it until it ends.
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
    precondition(result == 0, "the process has no key for thread-specific data left")
    return key
  }()
}

/// What reads look at of a scope.
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
