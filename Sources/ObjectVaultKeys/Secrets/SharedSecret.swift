/// A secret with several owners, such as the connections of one vault; wiped with the last owner.
package final class SharedSecret: Sendable {
  private let secret: Secret

  package init(_ secret: consuming Secret) {
    self.secret = secret
  }

  package var count: Int { secret.count }

  /// Throws an error if the secret was created before a fork.
  ///
  /// - Throws: `madeBeforeFork` in a process that was forked since the secret was created.
  package func checkProcess() throws(KeyError) { try secret.checkProcess() }

  /// Calls a closure with the borrowed secret.
  package func withSecret<Result: ~Copyable, Failure: Error>(
    _ body: (borrowing Secret) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(secret)
  }

  /// Calls a closure with the bytes; the closure must not retain the pointer.
  package func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try secret.withUnsafeBytes(body)
  }

  /// Returns whether both hold the same bytes, in a time that does not depend on their position.
  package func isEqual(to other: SharedSecret) -> Bool {
    secret.isEqual(to: other.secret)
  }
}

extension SharedSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "<secret>" }
  package var debugDescription: String { "<secret>" }
  package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
