import ObjectVaultDriver
import ObjectVaultSession

/// The knowledge of a session about references between tables.
package final class KnownReferences {
  /// The cached graph of references between tables.
  var graph: ReferenceGraph?
  /// Whether references may lack their objects until the commit.
  var areDeferred = false
}

extension Session {
  private static let referencesKey = SessionKey { KnownReferences() }

  /// The knowledge about references between tables.
  var references: KnownReferences { self[Self.referencesKey] }

  /// Whether references may lack their objects until the commit.
  package var defersReferences: Bool { references.areDeferred }
}

/// Keeps the knowledge of references true, and checks them before a commit is shared.
package final class ReferenceHook: SessionHook {
  package init() {}

  func willShare(on session: Session) throws { try session.checkReferences() }

  // After a rollback, the same schema number can be used for another schema.
  func didUndo(on session: Session) { session.references.graph = nil }
}
