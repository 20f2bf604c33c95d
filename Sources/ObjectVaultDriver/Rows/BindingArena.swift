/// The memory for the text and bytes bound to one statement, until they are bound again.
///
/// Bound values are copied here once and passed to the engine as static memory, so that it makes no
/// second copy. Memory in use never moves; `reset()` frees it for reuse.
@usableFromInline
package final class BindingArena {
  /// The chunk that is being filled.
  @exclusivity(unchecked) @usableFromInline var base: UnsafeMutableRawPointer?
  @exclusivity(unchecked) @usableFromInline var capacity = 0
  @exclusivity(unchecked) @usableFromInline var used = 0
  /// The chunks filled since the last `reset()`.
  private var full: [UnsafeMutableRawPointer] = []

  /// The values bound without a statement, by position, or `nil` if that is an error.
  var values: [BoundValue]?

  /// The first result code other than OK since the last `reset()`.
  @exclusivity(unchecked) @usableFromInline package var failure: Int32 = 0

  /// The maximum size of a chunk that `reset()` retains.
  ///
  /// One huge value must not occupy memory for the lifetime of the statement.
  private static let keptCapacity = 64 * 1024

  package init() {}

  deinit {
    for chunk in full { chunk.deallocate() }
    base?.deallocate()
  }

  /// Frees all memory for reuse.
  ///
  /// Values bound before must not be read any more.
  @inlinable
  package func reset() {
    failure = 0
    used = 0
    if holdsMuch { shrink() }
  }

  /// Whether more than one ordinary chunk is in use.
  @exclusivity(unchecked) @usableFromInline private(set) var holdsMuch = false

  @usableFromInline
  func shrink() {
    for chunk in full { chunk.deallocate() }
    full.removeAll()
    if capacity > Self.keptCapacity {
      base?.deallocate()
      base = nil
      capacity = 0
    }
    holdsMuch = false
  }

  @inlinable @inline(__always)
  package func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer {
    let count = bytes.count
    let place: UnsafeMutableRawPointer
    if let base, capacity &- used >= count {
      place = base + used
      used &+= count
    } else {
      place = grow(count)
    }
    if let source = bytes.baseAddress {
      place.copyMemory(from: source, byteCount: count)
    }
    return UnsafeRawPointer(place)
  }

  /// Adds a chunk of twice the last size, so that a statement soon needs only a single chunk for
  /// all its values.
  @usableFromInline
  func grow(_ count: Int) -> UnsafeMutableRawPointer {
    let wanted = max(count, capacity >= Self.keptCapacity ? capacity : max(256, capacity * 2))
    if let base {
      full.append(base)
      holdsMuch = true
    }
    let place = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 16)
    base = place
    capacity = wanted
    used = count
    if wanted > Self.keptCapacity { holdsMuch = true }
    return place
  }
}
