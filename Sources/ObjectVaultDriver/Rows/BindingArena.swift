/// The memory for the text and bytes bound to one statement, until they are bound again.
///
/// Bound values are copied here once and passed to the engine as static memory, so that it makes no
/// second copy. Memory in use never moves; `reset()` frees it for reuse.
@usableFromInline
package final class BindingArena {
  /// The state that changes with each bound value.
  @usableFromInline
  struct Filling {
    /// The chunk that is being filled.
    @usableFromInline var base: UnsafeMutableRawPointer?
    @usableFromInline var capacity = 0
    @usableFromInline var used = 0
    /// Whether more than one ordinary chunk is in use, or a value that is larger than one.
    @usableFromInline var holdsMuch = false
    @usableFromInline var failure: Int32 = 0
    /// The values bound without a statement, by position, or `nil` if that is an error.
    @usableFromInline var values: [BoundValue]?

    @usableFromInline
    init() {}
  }

  // Only the owner of the statement uses its arena, and accesses never overlap.

  /// The memory that is filled.
  @exclusivity(unchecked) @usableFromInline var filling = Filling()
  /// The chunks filled since the last `reset()`.
  private var full: [UnsafeMutableRawPointer] = []

  /// Whether the values may be at any position, because they are for a statement of another engine.
  var takesMore = false

  /// The first result code other than OK since the last `reset()`.
  @inlinable
  package var failure: Int32 {
    get { filling.failure }
    set { filling.failure = newValue }
  }

  /// The maximum size of a chunk that `reset()` retains.
  ///
  /// One huge value must not occupy memory for the lifetime of the statement.
  private static let keptCapacity = 64 * 1024

  package init() {}

  deinit {
    for chunk in full { chunk.deallocate() }
    filling.base?.deallocate()
  }

  /// Frees all memory for reuse.
  ///
  /// Values bound before must not be read any more.
  @inlinable
  package func reset() {
    failure = 0
    filling.used = 0
    if filling.holdsMuch { shrink() }
  }

  @usableFromInline
  func shrink() {
    for chunk in full { chunk.deallocate() }
    full.removeAll()
    if filling.capacity > Self.keptCapacity {
      filling.base?.deallocate()
      filling.base = nil
      filling.capacity = 0
    }
    filling.holdsMuch = false
  }

  @inlinable @inline(__always)
  package func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer {
    let count = bytes.count
    let place: UnsafeMutableRawPointer
    if let base = filling.base, filling.capacity &- filling.used >= count {
      place = base + filling.used
      filling.used &+= count
    } else {
      place = grow(count)
    }
    if let source = bytes.baseAddress {
      place.copyMemory(from: source, byteCount: count)
    }
    return UnsafeRawPointer(place)
  }

  /// Records a value that is bound without a statement.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - place: Its place in ``Filling/values``. A place that they do not have is ignored.
  /// - Returns: Whether values are recorded.
  func note(_ value: BoundValue, at place: Int) -> Bool {
    guard let count = filling.values?.count else { return false }
    if value.byteCount > Self.keptCapacity { filling.holdsMuch = true }
    if place >= count, takesMore, place < 1 << 16 {
      for _ in count..<place { filling.values?.append(.null) }
      filling.values?.append(value)
    } else if place >= 0, place < count {
      filling.values?[place] = value
    }
    return true
  }

  /// Replaces the recorded values by NULL, in place if no one else has them.
  func bindNulls(_ count: Int) {
    guard filling.values?.count == count else {
      filling.values = [BoundValue](repeating: .null, count: count)
      return
    }
    for place in 0..<count { filling.values?[place] = .null }
  }

  /// Adds a chunk of twice the last size, so that a statement soon needs only a single chunk for
  /// all its values.
  @usableFromInline
  func grow(_ count: Int) -> UnsafeMutableRawPointer {
    let capacity = filling.capacity
    let wanted = max(count, capacity >= Self.keptCapacity ? capacity : max(256, capacity * 2))
    if let base = filling.base {
      full.append(base)
      filling.holdsMuch = true
    }
    let place = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 16)
    filling.base = place
    filling.capacity = wanted
    filling.used = count
    if wanted > Self.keptCapacity { filling.holdsMuch = true }
    return place
  }
}
