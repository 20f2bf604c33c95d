package import ObjectVaultDriver
package import ObjectVaultModel
package import ObjectVaultSession

/// The views and triggers of a file that are broken because they name something that does not
/// exist.
///
/// The engine reports such an error only when it compiles a statement that uses the view or
/// trigger.
package struct DependentObjects {
  /// The kinds and names, such as "view 'adults'".
  package let broken: Set<String>

  package init(on session: Session) throws {
    let schema = Schema(on: session)
    var broken: Set<String> = []
    for view in try schema.objects("view")
    where !Self.compiles("SELECT * FROM \(SQL.quoted(view.name))", on: session) {
      broken.insert("view '\(view.name)'")
    }
    for (table, triggers) in try schema.triggers() {
      let assignments = (try? schema.columns(of: table))?.map {
        "\(SQL.quoted($0.name)) = \(SQL.quoted($0.name))"
      }
      let table = SQL.quoted(table)
      let events = [
        ("insert", "INSERT INTO \(table) DEFAULT VALUES"), ("delete", "DELETE FROM \(table)"),
        ("update", "UPDATE \(table) SET \(assignments?.joined(separator: ", ") ?? "")"),
      ]
      for (event, sql) in events {
        let concerned = triggers.filter { $0.events.contains(event) }
        guard !concerned.isEmpty, !Self.compiles(sql, on: session) else { continue }
        for trigger in concerned { broken.insert("trigger '\(trigger.name)'") }
      }
    }
    self.broken = broken
  }

  /// Checks that no view or trigger became broken.
  ///
  /// - Throws: `.upgradeRefused` if a view or trigger is broken that is not in `before`.
  package func check(before: Set<String>, for description: ClassDescription) throws(VaultError) {
    let names = broken.subtracting(before).sorted()
    guard !names.isEmpty else { return }
    throw description.refusedUpgrade(
      "\(names.formattedList) would no longer be valid",
      remedy: "Drop it and create it again for the changed class, with the program that created it."
    )
  }

  private static func compiles(_ sql: String, on session: Session) -> Bool {
    do {
      _ = try session.connection.prepare(sql, persistent: false)
      return true
    } catch {
      return error.code != .sqlError
    }
  }
}

extension ClassUpgrade {
  /// Checks that no view or trigger of another program would read another column under a name.
  ///
  /// - Throws: `.upgradeRefused` if one names the table and a column whose name another one gets.
  func checkDependents(on session: Session) throws {
    let reused = Set(movedNames.map(\.asciiLowercased))
    guard let table, !reused.isEmpty else { return }
    let schema = Schema(on: session)
    let objects =
      try schema.objects("view").map { ("view", $0) }
      + schema.objects("trigger").map { ("trigger", $0) }
    let names = objects.filter { _, object in
      let words = Set(SQLToken.tokens(of: object.sql).compactMap(\.name?.asciiLowercased))
      return !object.name.asciiLowercased.hasBytePrefix("objectvault_")
        && words.contains(table.name.asciiLowercased) && !words.isDisjoint(with: reused)
    }.map { "\($0) '\($1.name)'" }.sorted()
    guard !names.isEmpty else { return }
    throw description.refusedUpgrade(
      "\(names.formattedList) would read other columns under the same names",
      remedy: "Drop it and create it again for the changed class, with the program that created it."
    )
  }
}

extension Schema {
  /// Returns the triggers, grouped by the table or view that they are on.
  fileprivate func triggers() throws -> [(table: String, triggers: [Object])] {
    let tables = try session.with(catalog.triggeredObjects) { statement in
      var tables: [String] = []
      while try statement.step() { tables.append(statement.row.text(at: 0) ?? "") }
      return tables
    }
    return try tables.map { ($0, try objects("trigger", of: $0)) }
  }
}
