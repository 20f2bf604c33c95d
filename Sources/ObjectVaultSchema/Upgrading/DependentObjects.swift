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
  /// Checks that no view or trigger of another program would read another column under a name, or a
  /// text in place of a column.
  ///
  /// - Throws: `.upgradeRefused` if one depends on the table and names a column whose name another
  ///   one gets, or has a lost name in double quotes.
  func checkDependents(on session: Session) throws {
    let reused = Set(movedNames.map(\.asciiLowercased))
    let lost = lostNames
    guard let table, !(reused.isEmpty && lost.isEmpty) else { return }
    let dependents = try Schema(on: session).dependents(ofTable: table.name)
    try description.refuse(
      dependents.filter { !$0.words.isDisjoint(with: reused) },
      because: "would read other columns under the same names")
    // The columns of a trigger's `UPDATE OF` get their new names.
    try description.refuse(
      dependents.filter { !$0.quotedNames(exceptUpdated: true).isDisjoint(with: lost) },
      because: DependentObject.wouldReadText)
  }

  /// The names of columns that a rebuild leaves to no column, in lower case.
  private var lostNames: Set<String> {
    guard needsRebuild, let table, let change, let old = table.text else { return [] }
    let new = change.text(from: old).columns.map(\.name.asciiLowercased)
    return Set(table.columns.map(\.name.asciiLowercased)).subtracting(new)
  }
}

/// A view or trigger of another program that depends on a table, also by other views.
struct DependentObject {
  /// The kind and name, such as "view 'adults'".
  let title: String
  private let tokens: [SQLToken]

  init(_ kind: String, _ object: Schema.Object) {
    title = "\(kind) '\(object.name)'"
    tokens = SQLToken.tokens(of: object.sql)
  }

  /// The end of an error message for a name in double quotes that no column has any more.
  static let wouldReadText =
    "would read a text in place of a column, because the engine takes a name in double quotes for "
    + "a text if no column has it"

  /// All words and names of the definition, in lower case.
  var words: Set<String> { Set(tokens.compactMap(\.name?.asciiLowercased)) }

  /// Returns the names that the engine takes for texts if no column has them, in lower case.
  ///
  /// These are names in double quotes that are neither qualified nor the names of results.
  ///
  /// - Parameter exceptUpdated: Whether to leave out the columns after `UPDATE OF`.
  /// - Returns: The names.
  func quotedNames(exceptUpdated: Bool) -> Set<String> {
    var updated = 0..<0
    if exceptUpdated,
      let start = tokens.firstIndex(where: { $0.keyword == "of" }), start > 0,
      tokens[start - 1].keyword == "update",
      let end = tokens[start...].firstIndex(where: { $0.keyword == "on" })
    {
      updated = start..<end
    }
    var names: Set<String> = []
    for (index, token) in tokens.enumerated()
    where token.text.hasPrefix("\"") && !updated.contains(index) {
      let before = index > 0 ? tokens[index - 1] : nil
      guard before?.text != ".", before?.keyword != "as", let name = token.name else { continue }
      names.insert(name.asciiLowercased)
    }
    return names
  }
}

extension ClassDescription {
  /// Throws `.upgradeRefused` with the names of views and triggers, unless there are none.
  fileprivate func refuse(
    _ dependents: [DependentObject], because problem: String
  ) throws(VaultError) {
    let names = dependents.map(\.title).sorted()
    guard !names.isEmpty else { return }
    throw refusedUpgrade(
      "\(names.formattedList) \(problem)",
      remedy: "Drop it and create it again for the changed class, with the program that created it."
    )
  }
}

extension Schema {
  /// Checks that no view or trigger of another program would read a text in place of a column that
  /// is dropped.
  ///
  /// - Parameters:
  ///   - columns: The names of the columns.
  ///   - description: The class that has the table.
  /// - Throws: `.upgradeRefused` if one has such a name in double quotes.
  func checkDependents(ofDropped columns: [String], of description: ClassDescription) throws {
    let lost = Set(columns.map(\.asciiLowercased))
    let dependents = try dependents(ofTable: description.table)
    try description.refuse(
      dependents.filter { !$0.quotedNames(exceptUpdated: false).isDisjoint(with: lost) },
      because: DependentObject.wouldReadText)
  }

  /// Returns the views and triggers of other programs that name a table, or a view that depends on
  /// it.
  fileprivate func dependents(ofTable table: String) throws -> [DependentObject] {
    let views = try objects("view").map { (object: $0, dependent: DependentObject("view", $0)) }
    let triggers = try objects("trigger").map {
      (object: $0, dependent: DependentObject("trigger", $0))
    }
    var sources: Set<String> = [table.asciiLowercased]
    var count = 0
    while count != sources.count {
      count = sources.count
      for view in views where !view.dependent.words.isDisjoint(with: sources) {
        sources.insert(view.object.name.asciiLowercased)
      }
    }
    return (views + triggers).filter { object, dependent in
      !object.name.asciiLowercased.hasBytePrefix("objectvault_")
        && !dependent.words.isDisjoint(with: sources)
    }.map { $0.dependent }
  }

  /// Returns the triggers, grouped by the table or view that they are on.
  fileprivate func triggers() throws -> [(table: String, triggers: [Object])] {
    let tables = try catalog.triggeredObjects.map(names) ?? []
    return try tables.map { ($0, try objects("trigger", of: $0)) }
  }
}
