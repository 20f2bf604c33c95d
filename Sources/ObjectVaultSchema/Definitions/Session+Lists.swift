import ObjectVaultSession

/// The temporary tables of a session.
package final class KnownLists {
  /// The numbers of the tables in use for lists in conditions.
  ///
  /// They are released in any order.
  package var inUse: Set<Int> = []
  /// Whether the usual temporary tables exist.
  var haveUsualTables = false
}

extension Session {
  private static let listsKey = SessionKey { KnownLists() }

  /// The temporary tables.
  package var lists: KnownLists { self[Self.listsKey] }

  /// The number of the first temporary table that a condition may fill.
  package var nextList: Int { (lists.inUse.max() ?? -1) + 1 }
}
