public import ObjectVaultPlatform

/// A monotonic clock that is very fast to read and accurate to a few milliseconds.
@usableFromInline
package enum CoarseClock {
  /// The time in nanoseconds since an unspecified moment.
  @inlinable
  package static var now: Int64 {
    var time = timespec()
    #if canImport(Darwin)
      clock_gettime(CLOCK_MONOTONIC_RAW_APPROX, &time)
    #else
      clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    #endif
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
