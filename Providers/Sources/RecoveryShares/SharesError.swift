/// An error about a recovery code or its shares, with the sentence to print.
public struct SharesError: Error, Equatable, CustomStringConvertible {
  /// The sentences to print; they contain no part of a code.
  public let description: String

  init(_ description: String) { self.description = description }
}
