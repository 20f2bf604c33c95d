import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSession

extension ObjectStore where T: StoredObject {
  /// Returns the objects that a joining class links to an object of another class: many to many.
  ///
  /// ```swift
  /// @Stored struct Enrollment {
  ///   @ObjectID @Reference(onDelete: .cascade) var student: Ref<Student>
  ///   @ObjectID @Reference(onDelete: .cascade) var course: Ref<Course>
  /// }
  /// let courses = try vault.store(of: Course.self).related(to: student, through: Enrollment.self)
  /// let students = try vault.store(of: Student.self).related(to: course, through: Enrollment.self)
  /// ```
  ///
  /// Each object occurs once, in the order of insertion:
  /// `SELECT … WHERE id IN (SELECT course FROM Enrollment WHERE student = ?)`.
  ///
  /// - Parameters:
  ///   - other: A stored object of the other class.
  ///   - joining: The class that refers to both classes.
  ///   - reference: The name of the joining class's reference to the requested objects. Required if
  ///     it has several references to their class.
  ///   - otherReference: The name of the joining class's reference to `other`, with the same rule.
  /// - Returns: The objects, with their owned objects.
  /// - Throws: ``VaultError``: `.noObjectID` if `other` has no ID; `.invalidArgument` if the
  ///   joining class has no matching references, or if they are ambiguous.
  public func related<Other: StoredObject, Joining: StoredObject>(
    to other: Other, through joining: Joining.Type, by reference: String? = nil,
    from otherReference: String? = nil
  ) throws -> [T] {
    let id = try Ref(other).id
    let description = try database.store(of: Joining.self).classDescription
    let own = try description.joining(
      classDescription, named: reference, besides: otherReference)
    let far = try description.joining(
      database.store(of: Other.self).classDescription, named: otherReference, besides: own.name)
    let key = state.objectIDPositions.map { state.sql.qualifiedColumns[$0] }
    let table = SQL.quoted(description.table)
    let columns = description.columns(of: own.properties).map { "\(table).\(SQL.quoted($0))" }
    let farColumns = description.columns(of: far.properties)
    let condition = farColumns.enumerated()
      .map { "\(table).\(SQL.quoted($1)) = ?\($0 + 1)" }.joined(separator: " AND ")
    let row = key.count == 1 ? key[0] : "(\(key.joined(separator: ", ")))"
    let sql =
      "SELECT \(state.sql.columns) FROM \(state.sql.table) WHERE \(row) IN "
      + "(SELECT \(columns.joined(separator: ", ")) FROM \(table) "
      + "WHERE \(condition))\(partition?.clause(from: farColumns.count + 1) ?? "") "
      + "ORDER BY \(state.insertionOrder.joined(separator: ", "))"
    return try readWithOwned { session in
      var objects = try session.with(sql) { statement in
        let binder = statement.binder
        try id.bindObjectID(to: binder, at: 0)
        partition?.bind(to: binder, at: farColumns.count)
        return try self.objects(statement)
      }
      try complete(&objects, on: session)
      return objects
    }
  }
}

extension ObjectStore where T: StoredObject & Sendable {
  /// Returns the objects that a joining class links to an object, without blocking the caller's
  /// thread.
  ///
  /// See ``related(to:through:by:from:)-(Other,_,_,_)``.
  public func related<Other: StoredObject & Sendable, Joining: StoredObject & Sendable>(
    to other: Other, through joining: Joining.Type, by reference: String? = nil,
    from otherReference: String? = nil
  ) async throws -> [T] {
    try await reading {
      try related(to: other, through: joining, by: reference, from: otherReference)
    }
  }
}

extension ClassDescription {
  /// Returns the reference of the joining class to the target class.
  fileprivate func joining(
    _ target: ClassDescription, named name: String?, besides other: String?
  ) throws(VaultError) -> ReferenceDescription {
    let candidates = references.filter {
      $0.target == target.table && (name == nil ? $0.name != other : $0.name == name)
    }
    guard candidates.count == 1 else {
      let problem = candidates.isEmpty ? "no such reference" : "several references"
      throw VaultError(
        .invalidArgument,
        "Class '\(self.name)' has \(problem) to class '\(target.name)'. Pass the name of the "
          + "reference to use.")
    }
    return candidates[0]
  }
}
