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
    guard a.hash == b.hash else { return false }
    if a.text.isSameStorage(as: b.text) { return true }
    var (first, second) = (a.text, b.text)
    return first.withUTF8 { first in
      second.withUTF8 { second in
        guard first.count == second.count else { return false }
        guard let start = first.baseAddress, let other = second.baseAddress else { return true }
        return memcmp(start, other, first.count) == 0
      }
    }
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension String {
  /// Whether it is the very same text in memory, which is seen at once; equal texts need not be.
  package func isSameStorage(as other: String) -> Bool {
    withUnsafePointer(to: self) { own in
      withUnsafePointer(to: other) { memcmp(own, $0, MemoryLayout<String>.size) == 0 }
    }
  }
}
