internal import Synchronization

internal import ObjectVaultPlatform

/// A pool of single pages that are wiped and still locked, for later secrets.
///
/// Locking and releasing a page costs far more than most uses of a short secret.
package struct SparePages: @unchecked Sendable {
  // Unchecked: the slots are atomic and never deallocated.

  /// The maximum number of pages, so that the pool uses little of the process's lock limit.
  package static let capacity = 8

  private let slots: UnsafeMutablePointer<Atomic<UInt>>
  /// The process that locked the pages.
  ///
  /// A forked process inherits the pages but not their locks.
  private let process: UnsafeMutablePointer<Atomic<Int32>>
  private let pageSize: Int

  package init(pageSize: Int) {
    self.pageSize = pageSize
    slots = .allocate(capacity: Self.capacity)
    for slot in 0..<Self.capacity { (slots + slot).initialize(to: Atomic(0)) }
    process = .allocate(capacity: 1)
    process.initialize(to: Atomic(0))
  }

  /// Removes and returns a zeroed page that this process has locked, if there is one.
  package func take(for process: Int32) -> UnsafeMutableRawPointer? {
    forgetOthers(than: process)
    return takeAny()
  }

  /// Adds a wiped page that this process has locked.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - process: This process.
  /// - Returns: Whether the pool had space for the page.
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

  /// Unmaps the pages that were locked before this process was forked.
  private func forgetOthers(than process: Int32) {
    guard self.process[0].load(ordering: .relaxed) != process,
      self.process[0].exchange(process, ordering: .relaxed) != process
    else { return }
    while let page = takeAny() { munmap(page, pageSize) }
  }
}
