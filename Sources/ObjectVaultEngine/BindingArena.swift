/// Memory that holds the text and bytes bound to one statement until they are bound anew.
///
/// Bound values are copied here once and handed to the engine as static memory, so that it makes
/// no second copy. Chunks never move; `reset()` makes their room free again.
@usableFromInline
package final class BindingArena {
  private var chunks: [UnsafeMutableRawBufferPointer] = []
  private var current = 0
  private var used = 0

  /// The first result code other than OK since the last `reset()`.
  @usableFromInline package var failure: Int32 = 0

  package init() {}

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  package func reset() {
    failure = 0
    used = 0
    // A single huge value must not keep its memory for the life of the statement.
    while chunks.count > 1 { chunks.removeLast().deallocate() }
    if let only = chunks.first, only.count > 64 * 1024 {
      only.deallocate()
      chunks.removeAll()
    }
    current = 0
  }

  @usableFromInline
  package func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer {
    let place = reserve(bytes.count)
    if let source = bytes.baseAddress {
      place.copyMemory(from: source, byteCount: bytes.count)
    }
    return UnsafeRawPointer(place)
  }

  private func reserve(_ count: Int) -> UnsafeMutableRawPointer {
    if current < chunks.count, used + count <= chunks[current].count {
      let place = chunks[current].baseAddress! + used
      used += count
      return place
    }
    chunks.append(.allocate(byteCount: max(count, 4096), alignment: 16))
    current = chunks.count - 1
    used = count
    return chunks[current].baseAddress!
  }
}
