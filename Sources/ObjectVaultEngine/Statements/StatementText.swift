#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The text of a statement, with what finds it among those that are kept.
///
/// Texts are equal where their bytes are: Swift's own equality would take a name for another one that
/// is only canonically equivalent, and of which there is another table.
package struct StatementText: Sendable, Hashable {
  package let text: String
  /// Made once, so that finding the statement of a kept text reads it no more.
  let hash: Int

  package init(_ text: String) {
    var text = text
    var hasher = Hasher()
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    self.text = text
    hash = hasher.finalize()
  }

  package static func == (a: StatementText, b: StatementText) -> Bool {
    a.hash == b.hash && a.text.hasSameBytes(as: b.text)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension String {
  /// Whether the bytes are the same: Swift takes canonically equivalent texts for equal.
  package func hasSameBytes(as other: String) -> Bool {
    isSameStorage(as: other) || hasEqualBytes(to: other)
  }

  /// Whether it is the very same text in memory, which is seen at once; equal texts need not be.
  func isSameStorage(as other: String) -> Bool {
    typealias Words = (UInt64, UInt64)
    guard MemoryLayout<String>.size == MemoryLayout<Words>.size else { return false }
    return unsafeBitCast(self, to: Words.self) == unsafeBitCast(other, to: Words.self)
  }

  @inline(never)
  private func hasEqualBytes(to other: String) -> Bool {
    var (first, second) = (self, other)
    return first.withUTF8 { first in
      second.withUTF8 { second in
        guard first.count == second.count else { return false }
        guard let start = first.baseAddress, let other = second.baseAddress else { return true }
        return memcmp(start, other, first.count) == 0
      }
    }
  }
}
