/// Memory that holds the text and bytes bound to one statement until they are bound anew.
///
/// Bound values are copied here once and handed to the engine as static memory, so that it makes
/// no second copy. Memory in use never moves; `reset()` makes its room free again.
@usableFromInline
package final class BindingArena {
  /// The chunk that is being filled.
  @exclusivity(unchecked) @usableFromInline var base: UnsafeMutableRawPointer?
  @exclusivity(unchecked) @usableFromInline var capacity = 0
  @exclusivity(unchecked) @usableFromInline var used = 0
  /// Chunks filled since the last `reset()`.
  private var full: [UnsafeMutableRawPointer] = []

  /// What was bound where there is no statement, by position; `nil` where that is a mistake.
  var values: [BoundValue]?

  /// The first result code other than OK since the last `reset()`.
  @exclusivity(unchecked) @usableFromInline package var failure: Int32 = 0

  /// A chunk larger than this goes back at the next `reset()`: one huge value must not keep its
  /// memory for the life of the statement.
  private static let keptCapacity = 64 * 1024

  package init() {}

  deinit {
    for chunk in full { chunk.deallocate() }
    base?.deallocate()
  }

  /// Makes all room free again. Nothing bound before may be read any more.
  @inlinable
  package func reset() {
    failure = 0
    used = 0
    if holdsMuch { shrink() }
  }

  /// Whether more than one ordinary chunk is held.
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

  /// Starts a new chunk, twice as large as the last, so that a statement settles on one that
  /// holds all its values.
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
