import ObjectVaultCondition

/// What an object was at one moment: compared with what it is later, it tells what was changed.
///
/// ```swift
/// let snapshot = try ObjectSnapshot(of: student)
/// student.age += 1
/// try students.updateChanges(of: student, since: snapshot)
/// ```
///
/// It is made of what would be stored of the object and of the objects that belong to it; values that
/// are stored alike are no change.
public struct ObjectSnapshot<T: VaultObject>: Sendable, Equatable {
  let form: StoredForm

  /// What the object is now.
  ///
  /// - Throws: ``VaultError`` `.invalidValue` where no file could keep a value.
  public init(of object: T) throws where T: StoredObject {
    form = try StoredForm(object)
  }

  init(form: StoredForm) { self.form = form }

  /// The names of the properties that are not as they were, in declaration order, then those of owned
  /// objects; of these, ones that the object does not say now are none.
  ///
  /// - Throws: as ``init(of:)``.
  public func changes(to object: T) throws -> [String] where T: StoredObject {
    let changes = form.changes(to: try StoredForm(object), T.classDescription)
    return changes.properties + changes.owned
  }
}
