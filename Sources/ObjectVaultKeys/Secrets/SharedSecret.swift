/// A secret with several owners, such as the connections of one vault; wiped with the last one.
package final class SharedSecret: Sendable {
  private let secret: Secret

  package init(_ secret: consuming Secret) {
    self.secret = secret
  }

  package var count: Int { secret.count }
  package var isLockedInMemory: Bool { secret.isLockedInMemory }

  /// - Throws: `madeBeforeFork` in a process that was forked since the secret was made.
  package func checkProcess() throws(KeyError) { try secret.checkProcess() }

  /// Lends the secret to a closure.
  package func withSecret<Result: ~Copyable, Failure: Error>(
    _ body: (borrowing Secret) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(secret)
  }

  /// Gives the bytes to a closure, which must not keep the pointer.
  package func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try secret.withUnsafeBytes(body)
  }

  /// Whether both hold the same bytes, in a time that does not depend on where they differ.
  package func isEqual(to other: SharedSecret) -> Bool {
    secret.isEqual(to: other.secret)
  }
}

extension SharedSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "<secret>" }
  package var debugDescription: String { "<secret>" }
  package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
