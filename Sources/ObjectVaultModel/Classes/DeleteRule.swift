/// The effect on an object when the object that it refers to is removed.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
  /// Removes the object too, with all its dependent objects.
  case cascade
  /// Sets the reference to `nil`.
  case nullify
  /// Denies the removal, unless the same operation also removes the referring object.
  case deny
  /// Takes no action: a removal that would leave a dangling reference fails.
  case noAction
}
