import ObjectVaultSchema
import ObjectVaultSession

/// The effects of a removal, counted in advance without a change of the file.
public struct DeletionPlan: Sendable, Hashable {
  /// The effects of a removal on the objects of one class.
  public struct Entry: Sendable, Hashable {
    /// The name of the class, or of the table if the file has no description of it.
    public var className: String
    /// The name of the table.
    public var table: String
    /// The number of objects that would be removed.
    public var removed: Int
    /// The number of references from remaining objects that would become `nil`.
    public var nullified: Int
    /// The number of references from remaining objects that prevent the removal.
    ///
    /// The delete rule of such a reference is `deny`, or the reference would become dangling.
    public var denying: Int
  }

  /// The effects by class, beginning with the class of the objects to remove.
  ///
  /// Referring classes follow, and classes that refer to these. Classes without effects are
  /// omitted.
  public var entries: [Entry]

  /// Whether no reference prevents the removal.
  public var isAllowed: Bool { entries.allSatisfy { $0.denying == 0 } }

  /// The total number of objects that would be removed.
  public var removed: Int { entries.reduce(0) { $0 + $1.removed } }
}

extension Removal {
  /// Returns the number of effects of the collected rows.
  func plan() throws -> DeletionPlan {
    var entries: [DeletionPlan.Entry] = []
    func change(_ table: String, _ name: String, _ change: (inout DeletionPlan.Entry) -> Void) {
      let index = entries.firstIndex { $0.table == table } ?? entries.endIndex
      if index == entries.endIndex {
        entries.append(
          DeletionPlan.Entry(className: name, table: table, removed: 0, nullified: 0, denying: 0))
      }
      change(&entries[index])
    }
    for table in scope.groups.flatMap(\.tables) {
      let count = try self.count(table)
      if count > 0 || table == scope.root {
        change(table, scope.className(of: table)) { $0.removed = count }
      }
    }
    for key in scope.nullified {
      let count = try countRemaining(key)
      if count > 0 { change(key.table, key.className) { $0.nullified += count } }
    }
    for key in scope.refusals {
      let count = try countRemaining(key)
      if count > 0 { change(key.table, key.className) { $0.denying += count } }
    }
    return DeletionPlan(entries: entries)
  }
}
