import ObjectVaultCondition
public import ObjectVaultModel

/// The state of an object at one moment, for detecting later changes.
///
/// ```swift
/// let snapshot = try ObjectSnapshot(of: student)
/// student.age += 1
/// try students.updateChanges(of: student, since: snapshot)
/// ```
///
/// A snapshot contains the stored form of the object and of its owned objects. Values with the same
/// stored form count as equal.
public struct ObjectSnapshot<T: VaultObject>: Sendable, Equatable {
  let form: StoredForm

  /// Creates a snapshot of the current state of an object.
  ///
  /// - Throws: ``VaultError`` `.invalidValue` for a value that cannot be stored.
  public init(of object: T) throws where T: StoredObject {
    form = try StoredForm(object)
  }

  init(form: StoredForm) { self.form = form }

  /// Returns the names of the changed properties, then the names of the changed owned associations.
  ///
  /// The names are in declaration order. Owned associations that are not loaded in `object` count
  /// as unchanged.
  ///
  /// - Throws: The errors of ``init(of:)``.
  public func changes(to object: T) throws -> [String] where T: StoredObject {
    let changes = form.changes(to: try StoredForm(object), T.classDescription)
    return changes.properties + changes.owned
  }
}
