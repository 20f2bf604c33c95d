import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension Query {
  /// Sets properties of all objects of the query, in one statement and one transaction.
  ///
  /// If one object cannot be changed, no object is changed.
  ///
  /// ```swift
  /// try students.where("age < 7").update(set: ["room": "blue", "teacher": nil])
  /// ```
  ///
  /// - Parameter values: The values by the names of the properties, as in Swift. If the dictionary
  ///   is empty, nothing is written.
  /// - Returns: The number of objects of the query.
  /// - Throws: ``VaultError``: `.noSuchProperty`; `.invalidValue` if a value is not of the
  ///   property's type; `.invalidArgument` for a part of the objectID and for owned objects;
  ///   `.duplicate` if another object has the new value of a unique property when an object is
  ///   changed;
  ///   `.danglingReference` if a reference would have no target.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func update(set values: [String: Any?]) throws -> Int {
    try update { changes in
      for (name, value) in values { changes.set(name, to: value) }
    }
  }

  /// Changes properties of all objects of the query, in one statement and one transaction.
  ///
  /// If one object cannot be changed, no object is changed. Unique properties are checked for each
  /// object as it is changed, in no particular order: incrementing one may throw `.duplicate`, even
  /// if all values would differ at the end.
  ///
  /// ```swift
  /// try students.where("age >= 18").update { student in
  ///   student.increment("age")
  ///   student.set("note", to: nil)
  /// }
  /// ```
  ///
  /// - Parameter changes: A closure that records the changes. It is called once, before the file is
  ///   used.
  /// - Returns: The number of objects of the query.
  /// - Throws: The errors of ``update(set:)-([String:Any?])``; `.overflow` if an incremented number
  ///   exceeds the range of its type; errors thrown by `changes`.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func update(_ changes: (inout PropertyChanges) throws -> Void) throws -> Int {
    try update(try checked(changes))
  }

  private func checked(
    _ changes: (inout PropertyChanges) throws -> Void
  ) throws -> [CheckedChange] {
    var given = PropertyChanges()
    try changes(&given)
    let checked = try store.classDescription.checked(given)
    try store.checkPartition(of: checked)
    return checked
  }

  private func update(_ changes: [CheckedChange]) throws -> Int {
    if changes.isEmpty { return try count() }
    let sql = store.table.sql
    let dialect = sql.dialect
    let shared = store.classDescription.sharedPositions
    var values: [StoredValue] = []
    let assignments = try changes.map { change in
      let column = sql.quotedColumns[change.position]
      switch change.kind {
      case .value(let value):
        values.append(value)
        let value = try dialect.stored(
          dialect.nextParameter(values.count), isShared: shared.contains(change.position))
        return "\(column) = \(value)"
      case .increment(let amount):
        values.append(amount)
        return "\(column) = \(sql.qualifiedColumns[change.position]) + "
          + dialect.nextParameter(values.count)
      case .copy(let source):
        if shared.contains(source) == shared.contains(change.position) {
          return "\(column) = \(sql.qualifiedColumns[source])"
        }
        let content = try dialect.stored(
          sql.readColumns[source], isShared: shared.contains(change.position))
        return "\(column) = \(content)"
      }
    }
    return try store.transaction { session in
      for change in changes {
        if case .increment(let amount) = change.kind {
          try checkIncrement(of: change.position, by: amount, on: session)
        }
      }
      let sql = try QuerySQL(
        self, firstList: session.nextList, parametersBefore: values.count)
      let count = try store.access.timed(sql.update(assignments)) { text in
        try session.with(text, lists: sql.lists) { statement in
          let binder = statement.binder
          for (position, value) in values.enumerated() { value.bind(to: binder, at: position) }
          sql.bind(to: binder, at: values.count)
          try statement.run()
          // Read before the lists of the condition are emptied, because that also changes rows.
          return session.connection.changes
        }
      }
      try session.checkReferences()
      return count
    }
  }

  /// Throws if a number would leave the range of its type; SQLite would turn an integer into a
  /// double.
  private func checkIncrement(
    of position: Int, by amount: StoredValue, on session: Session
  ) throws {
    let property = store.classDescription.properties[position]
    let overflow = VaultError(
      .overflow,
      "Property '\(property.name)' of class '\(store.classDescription.name)' would exceed the "
        + "range of \(property.type.rawValue) in an object. Nothing was changed. Use a smaller "
        + "increment, or a wider type.")
    let (test, values): (String, [StoredValue])
    switch (property.type, amount) {
    case (.double, _):
      // An addition by an operator is an error of some engines, also for rows that do not match.
      let dialect = store.table.sql.dialect
      let sum = try dialect.required(
        dialect.calculation([.value, .value, .addReals], ["ov_v", "?"]), .calculations)
      test = "abs(ov_v) <= ? AND \(sum) IS NULL"
      let number: StoredValue =
        if case .integer(let number) = amount { .real(Double(number)) } else { amount }
      values = [.real(.greatestFiniteMagnitude), number]
    case (_, .integer(let amount)):
      let range = property.type.integerRange
      let isUp = amount > 0
      let (limit, isBeyond) =
        (isUp ? range.upperBound : range.lowerBound).subtractingReportingOverflow(amount)
      // The limit is beyond all values.
      test = isBeyond ? "ov_v IS NOT NULL" : isUp ? "ov_v > ?" : "ov_v < ?"
      values = isBeyond ? [] : [.integer(limit)]
    default: return
    }
    let sql = try QuerySQL(
      self, firstList: session.nextList, parametersAfter: values.count)
    let part = sql.part("\(store.table.sql.qualifiedColumns[position]) AS ov_v")
    let question = "SELECT EXISTS (SELECT 1 FROM (\(part)) AS ov_part WHERE \(test))"
    let isBeyond = try store.access.timed(question) { text in
      try session.with(text, lists: sql.lists) { statement in
        let binder = statement.binder
        let next = sql.bind(to: binder)
        for (offset, value) in values.enumerated() { value.bind(to: binder, at: next + offset) }
        return try statement.holds()
      }
    }
    if isBeyond { throw overflow }
  }
}

extension Query {
  /// Returns the effects of removing the objects of the query.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func deletionPlan() throws -> DeletionPlan {
    try store.deletionPlan { removal, session in
      _ = try add(to: removal, on: session)
    }
  }
}
