public import ObjectVaultPlatform

/// A value protected by a system lock.
///
/// `Synchronization.Mutex` is not used: on Linux its waiting code is compiled without the thread
/// sanitizer. The sanitizer then reports false races and would hide real ones.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// Used only under the lock, which is not reentrant.
  @usableFromInline let content: UncheckedValue<Value>

  package init(_ value: Value) {
    content = UncheckedValue(value)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Calls `body` with exclusive access to the value.
  ///
  /// `body` must neither wait nor call code that may lock again.
  @inlinable @inline(__always)
  package func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&content.value)
  }
}
