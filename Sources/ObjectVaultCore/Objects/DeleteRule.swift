/// What becomes of an object when the object that it refers to is removed.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
  /// It is removed too, with everything that must go with it.
  case cascade
  /// It stays, and its reference becomes `nil`.
  case nullify
  /// It forbids the removal, unless it is removed by the same one.
  case deny
  /// The vault does nothing: a removal that would leave the reference without its object fails.
  case noAction
}
