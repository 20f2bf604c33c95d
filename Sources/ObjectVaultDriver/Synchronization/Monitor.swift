public import ObjectVaultPlatform

/// A thread identity used for reentrancy checks.
@usableFromInline
package struct ThreadID: Hashable, Sendable {
  /// The identifier of the thread, never 0.
  @usableFromInline package let value: UInt

  @inlinable
  package init(value: UInt) { self.value = value }

  @inlinable
  package static func == (a: ThreadID, b: ThreadID) -> Bool { a.value == b.value }

  /// The calling thread.
  @inlinable
  package static var current: ThreadID {
    #if canImport(Darwin)
      ThreadID(value: UInt(bitPattern: pthread_self()))
    #else
      ThreadID(value: UInt(pthread_self()))
    #endif
  }
}

/// A lock with condition variables.
@usableFromInline
package final class Monitor: @unchecked Sendable {
  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  package init() {
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inlinable @inline(__always)
  package func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// A condition variable that threads wait for while they hold the monitor's lock.
  package final class Signal: @unchecked Sendable {
    private let monitor: Monitor
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init(_ monitor: Monitor) {
      self.monitor = monitor
      #if canImport(Darwin)
        pthread_cond_init(condition, nil)
      #else
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // Setting the system time must not change the duration of a wait.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
      #endif
    }

    deinit {
      pthread_cond_destroy(condition)
      condition.deallocate()
    }

    /// Releases the lock, waits for a wake-up, and acquires the lock again.
    package func wait() { pthread_cond_wait(condition, monitor.mutex) }

    /// Releases the lock until a wake-up or a timeout, and acquires it again.
    package func wait(seconds: Double) {
      let whole = seconds.rounded(.down)
      var time = timespec(tv_sec: Int(whole), tv_nsec: Int((seconds - whole) * 1e9))
      #if canImport(Darwin)
        pthread_cond_timedwait_relative_np(condition, monitor.mutex, &time)
      #else
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        time.tv_sec += now.tv_sec
        time.tv_nsec += now.tv_nsec
        if time.tv_nsec >= 1_000_000_000 {
          time.tv_sec += 1
          time.tv_nsec -= 1_000_000_000
        }
        pthread_cond_timedwait(condition, monitor.mutex, &time)
      #endif
    }

    package func wakeOne() { pthread_cond_signal(condition) }

    package func wakeAll() { pthread_cond_broadcast(condition) }
  }
}
