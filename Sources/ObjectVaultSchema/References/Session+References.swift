import ObjectVaultDriver
package import ObjectVaultModel
import ObjectVaultSession

/// The knowledge of a session about references between tables.
package final class KnownReferences {
  /// The cached graph of references between tables.
  var graph: ReferenceGraph?
  /// The cached classes of the file, and the version of the schema from which they were read.
  var classes: (all: [ClassDescription], schemaVersion: Int64)?
  /// Whether references may lack their objects until the commit.
  var areDeferred = false
}

extension Session {
  private static let referencesKey = SessionKey { KnownReferences() }

  /// The knowledge about references between tables.
  var references: KnownReferences { self[Self.referencesKey] }

  /// Returns the classes of the file by table, from the cache if the schema is unchanged.
  ///
  /// A new description of a table begins a new version of the schema.
  package func classDescriptions() throws -> [ClassDescription] {
    let version = try schemaVersion()
    if let known = references.classes, known.schemaVersion == version { return known.all }
    let all = try SystemTables(self).descriptions()
    references.classes = (all, version)
    return all
  }

  /// Makes the next use read the classes and the graph again.
  func forgetReferences() { (references.graph, references.classes) = (nil, nil) }

  /// Whether references may lack their objects until the commit.
  package var defersReferences: Bool { references.areDeferred }
}

/// Keeps the knowledge of references true, and checks them before a commit is shared.
package final class ReferenceHook: SessionHook {
  package init() {}

  func willShare(on session: Session) throws { try session.checkReferences() }

  // After a rollback, the same schema number can be used for another schema.
  func didUndo(on session: Session) { session.forgetReferences() }
}
