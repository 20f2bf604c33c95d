package import ObjectVaultModel

/// The order in which classes are transferred: each group of classes after those that it refers to.
///
/// Classes that refer to each other, and a class that refers to itself, form a group. All others
/// are alone.
package struct TransferOrder {
  /// A group of classes.
  package struct Group {
    package let classes: [ClassDescription]
    /// Whether objects of the group can refer to objects that are inserted after them.
    package let isCyclic: Bool
  }

  /// The groups in their order.
  package let groups: [Group]

  /// Orders classes.
  package init(_ classes: [ClassDescription]) {
    let tables = Set(classes.map(\.table))
    var targets: [String: Set<String>] = [:]
    for one in classes {
      targets[one.table] = Set(one.references.map(\.target)).intersection(tables)
    }
    let reachable = Self.reachable(targets)
    var (groups, done): ([Group], Set<String>) = ([], [])
    var left = classes
    // The classes that a group refers to beyond itself are done, so one group is always next.
    while let next = left.first(where: { one in
      let all = reachable[one.table] ?? []
      return all.allSatisfy { done.contains($0) || reachable[$0]?.contains(one.table) == true }
    }) {
      let all = reachable[next.table] ?? []
      let isCyclic = all.contains(next.table)
      let members = left.filter { one in
        one.table == next.table
          || isCyclic && all.contains(one.table)
            && reachable[one.table]?.contains(next.table) == true
      }
      groups.append(Group(classes: members, isCyclic: isCyclic))
      done.formUnion(members.map(\.table))
      left.removeAll { done.contains($0.table) }
    }
    self.groups = groups
  }

  /// Returns the tables that each table refers to, directly or through others.
  private static func reachable(_ targets: [String: Set<String>]) -> [String: Set<String>] {
    var reachable = targets
    var changed = true
    while changed {
      changed = false
      for (table, found) in reachable {
        let more = found.reduce(into: found) { $0.formUnion(reachable[$1] ?? []) }
        if more.count > found.count {
          reachable[table] = more
          changed = true
        }
      }
    }
    return reachable
  }
}
