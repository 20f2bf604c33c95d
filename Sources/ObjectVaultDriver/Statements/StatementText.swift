internal import ObjectVaultPlatform

/// The text of a statement, with its hash for the statement cache.
///
/// Texts are equal if their bytes are. Swift's own equality would treat a name as equal to a
/// canonically equivalent one, which denotes another table. A text that is kept is found by its
/// identity, without reading it.
@usableFromInline
package final class StatementText: Sendable, Hashable {
  package let text: String
  /// The hash, computed once, so that a lookup need not read the text again.
  let hash: Int

  @usableFromInline
  package init(_ text: String) {
    var text = text
    var hasher = Hasher()
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    self.text = text
    hash = hasher.finalize()
  }

  @usableFromInline
  package static func == (a: StatementText, b: StatementText) -> Bool {
    a === b || a.hash == b.hash && a.text.hasSameBytes(as: b.text)
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension String {
  /// Returns whether the bytes begin with those of a prefix, whereas Swift compares characters, which
  /// a combining mark after the prefix changes.
  package func hasBytePrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  /// Returns whether the bytes are equal, whereas Swift treats canonically equivalent texts as
  /// equal.
  package func hasSameBytes(as other: String) -> Bool {
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
