/// The treatment of owned objects when their owner is saved.
public enum OwnedSaving: Sendable {
  /// Changes the stored objects to match the given ones.
  ///
  /// Changed objects are updated, new ones inserted, and missing ones removed. A property that is
  /// `nil` leaves them unchanged.
  case save
  /// Leaves the stored objects unchanged.
  case leave
}
