public import Foundation
import ObjectVaultDriver
public import ObjectVaultModel

/// A recorded change of an object.
public struct ObjectChange: Sendable, Hashable {
  /// A kind of change.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The object was inserted.
    case inserted
    /// Properties of the object were changed.
    case updated
    /// The object was removed.
    case removed
    /// Recording began: earlier changes of the class may be missing in the history.
    ///
    /// The class enabled its history, its objects got other object IDs, its triggers were missing,
    /// its table was dropped without a record, or the file was salvaged.
    case started
    /// The table of the class was removed with all objects.
    case dropped
  }

  /// The position after the change.
  public var position: HistoryPosition
  /// The time of the change by the clock of the writing computer, to the millisecond.
  public var date: Date
  /// The author that the writing program stated, or `nil`.
  public var author: String?
  /// The name of the class, or of its table if the file no longer has the class.
  public var className: String
  /// The name of the table.
  public var table: String
  /// The kind of change.
  public var kind: Kind
  /// The object ID; `nil` for `.started` and `.dropped`.
  public var objectID: DynamicObjectID?
  /// The names of the changed properties of an updated object, in declaration order.
  ///
  /// They are the names at the time of the change.
  public var properties: [String]

  /// Returns the object ID as the type of a class's object IDs.
  ///
  /// - Parameter type: The class.
  /// - Returns: The object ID; `nil` for `.started` and `.dropped`.
  /// - Throws: ``VaultError`` `.invalidValue` if the class now has object IDs of another type.
  public func objectID<T: StoredObject>(of type: T.Type) throws -> T.ObjectIDType? {
    guard let parts = objectID?.objectIDParts else { return nil }
    guard parts.count == T.ObjectIDType.objectIDPartCount else {
      throw VaultError(
        .invalidValue,
        "The recorded object ID of class '\(className)' has \(parts.count) parts, but the class has "
          + "\(T.ObjectIDType.objectIDPartCount). The class changed: use `objectID`.")
    }
    return try Row.withValues(parts) { try T.ObjectIDType.readObjectID(from: $0, at: 0) }
  }
}

/// Consecutive changes of a history, and the position after them.
public struct ObjectChanges: Sendable, Hashable {
  /// The changes, oldest first.
  public var changes: [ObjectChange]
  /// The position to continue from.
  public var position: HistoryPosition
  /// Whether the limit was reached, so that more changes may follow.
  public var mayHaveMore: Bool
}
