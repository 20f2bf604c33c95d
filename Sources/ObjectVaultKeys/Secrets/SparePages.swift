internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Single pages that are wiped and still locked, for the secrets to come: to lock a page and to give
/// it back costs far more than what a short secret is used for.
package struct SparePages: @unchecked Sendable {
  // Unchecked: the slots are atomic and never go.

  /// The most that are kept, so that little of what a process may lock is held by nobody.
  package static let capacity = 8

  private let slots: UnsafeMutablePointer<Atomic<UInt>>
  /// The process that locked what is kept. A forked one has the pages, but not their locks.
  private let process: UnsafeMutablePointer<Atomic<Int32>>
  private let pageSize: Int

  package init(pageSize: Int) {
    self.pageSize = pageSize
    slots = .allocate(capacity: Self.capacity)
    for slot in 0..<Self.capacity { (slots + slot).initialize(to: Atomic(0)) }
    process = .allocate(capacity: 1)
    process.initialize(to: Atomic(0))
  }

  /// A page of zeros that this process has locked, and that nobody else has.
  package func take(for process: Int32) -> UnsafeMutableRawPointer? {
    forgetOthers(than: process)
    return takeAny()
  }

  /// Keeps a wiped page that this process has locked.
  ///
  /// - Returns: Whether there was room.
  package func keep(_ page: UnsafeMutableRawPointer, of process: Int32) -> Bool {
    forgetOthers(than: process)
    let address = UInt(bitPattern: page)
    return (0..<Self.capacity).contains { slot in
      slots[slot].compareExchange(expected: 0, desired: address, ordering: .releasing).exchanged
    }
  }

  private func takeAny() -> UnsafeMutableRawPointer? {
    for slot in 0..<Self.capacity where slots[slot].load(ordering: .relaxed) != 0 {
      let address = slots[slot].exchange(0, ordering: .acquiring)
      if let page = UnsafeMutableRawPointer(bitPattern: address) { return page }
    }
    return nil
  }

  /// Gives up what was kept before this process was forked.
  private func forgetOthers(than process: Int32) {
    guard self.process[0].load(ordering: .relaxed) != process,
      self.process[0].exchange(process, ordering: .relaxed) != process
    else { return }
    while let page = takeAny() { munmap(page, pageSize) }
  }
}
