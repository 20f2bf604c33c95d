package import ObjectVaultCore

/// A way to write by a store, with its name for messages.
package typealias WayToWrite = (name: String, write: () throws -> Void)

extension ObjectStore<DynamicObject> {
  /// Returns every way to write by the store.
  ///
  /// - Parameters:
  ///   - stored: The object with the object ID 1.
  ///   - new: An object that is not stored.
  ///   - name: The name of a text property, which is "a" for some objects.
  /// - Returns: The ways, which change the stored object, insert the new one, or remove objects.
  package func waysToWrite(
    _ stored: DynamicObject, _ new: DynamicObject, changing name: String
  ) -> [WayToWrite] {
    let store = self
    let id = DynamicObjectID(.integer(1))
    return [
      ("insert", { try store.insert(new) }),
      ("insert several", { try store.insert(contentsOf: [new, new]) }),
      ("save", { try store.save(stored) }),
      ("replace", { try store.replace(stored) }),
      ("update", { try store.update(stored) }),
      ("update some", { try store.update(stored, only: name) }),
      ("update several", { try store.update(contentsOf: [stored]) }),
      ("update by condition", { try store.where("\(name) == 'a'").update(set: [name: "z"]) }),
      ("change ID", { try store.changeID(of: id, to: DynamicObjectID(.integer(9))) }),
      ("remove", { try store.remove(id: id) }),
      ("remove by condition", { _ = try store.where("\(name) == 'a'").remove() }),
      ("remove all", { _ = try store.removeAll() }),
    ]
  }
}
