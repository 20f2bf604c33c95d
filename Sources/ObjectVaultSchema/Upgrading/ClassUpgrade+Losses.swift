import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

extension ClassUpgrade {
  /// Checks that the rebuild of the table would lose nothing, before any row is moved.
  ///
  /// - Throws: `.upgradeRefused` with the property, the unmet requirement, and the first objects
  ///   that do not meet it.
  func checkLosses(_ conversions: ValueConversions, on session: Session) throws {
    guard let table, let change, needsRebuild else { return }
    let names = names(table, on: session)
    for position in description.properties.indices {
      try checkValues(at: position, of: change, names, conversions)
    }
    if change.changesObjectID { try checkObjectID(change, names) }
  }

  private func checkValues(
    at position: Int, of change: TableUpgrade, _ names: ObjectNames, _ conversions: ValueConversions
  ) throws {
    let property = description.properties[position]
    if let followed = followed[position] {
      return try check(followed, at: position, names, conversions)
    }
    switch change.origins[position] {
    case .none: try checkNew(property, names)
    case .column(let name):
      try checkPresence(of: property, in: name, change, names)
      try checkLength(of: property, in: name, names)
    case .converted(let name, let oldType):
      let number = conversions.add(change.conversion(at: position))
      if let first = try names.first(where: "ov_is_lost(\(number), o.\(SQL.quoted(name)))") {
        throw description.refusedConversion(of: property, from: oldType, losing: first)
      }
      // A conversion that accepts `nil` was already checked against missing values above.
      if change.givenConversion(of: property, from: oldType)?.takesNil == true { return }
      try checkPresence(of: property, in: name, change, names)
    }
  }

  /// Checks that a new property has a value in every object.
  func checkNew(_ property: PropertyDescription, _ names: ObjectNames) throws {
    guard !property.isOptional, property.defaultValue == nil, !property.hasColumnDefault,
      let first = try names.first(where: "1 = 1")
    else { return }
    throw description.refusedUpgrade(
      "the new property '\(property.name)' has no default and is not optional, so \(first) would "
        + "have no value for it",
      remedy: "Set a default for the property, or declare it optional.")
  }

  /// Checks that every referenced object has a value for the new object ID that the reference
  /// stores.
  private func check(
    _ followed: FollowedReference, at position: Int, _ names: ObjectNames,
    _ conversions: ValueConversions
  ) throws {
    var values: [StoredValue] = []
    let value = try followed.value(of: "o", conversions, &values) ?? "NULL"
    try checkFollowed(
      followed, at: position, isMissing: "(\(value)) IS NULL",
      isPresent: followed.isPresent(of: "o"), values: values, names)
  }

  /// Checks that every referenced object has a value for the new object ID.
  ///
  /// - Parameters:
  ///   - followed: The reference.
  ///   - position: The position of the property.
  ///   - isMissing: The condition that there is no such value.
  ///   - isPresent: The condition that an object has the reference.
  ///   - values: The values of the parameters of `isMissing`.
  ///   - names: The names of the objects.
  /// - Throws: `.upgradeRefused` with the first objects.
  func checkFollowed(
    _ followed: FollowedReference, at position: Int, isMissing: String, isPresent: String,
    values: [StoredValue] = [], _ names: ObjectNames
  ) throws {
    let property = description.properties[position]
    guard
      let first = try names.first(
        where: "\(isMissing) AND (\(property.isOptional ? isPresent : "1 = 1"))", values: values)
    else { return }
    throw description.refusedUpgrade(
      "reference '\(property.name)' of \(first) leads to an object without an object ID of the new "
        + "form",
      remedy: "Correct the objects, or keep the object ID of the referenced class.")
  }

  /// Checks that every object has a value for a property that is no longer optional.
  func checkPresence(
    of property: PropertyDescription, in name: String, _ change: TableUpgrade, _ names: ObjectNames
  ) throws {
    let mayBeAbsent = change.column(name).map { !$0.isNotNull } ?? false
    guard !property.isOptional, mayBeAbsent, property.defaultValue?.isNull ?? true,
      let first = try names.first(where: "o.\(SQL.quoted(name)) IS NULL")
    else { return }
    throw description.refusedUpgrade(
      "property '\(property.name)' is no longer optional, but \(first) "
        + "\(first.isOneObject ? "has" : "have") no value for it",
      remedy: "Set a value for them, set a default for the property, or keep it optional.")
  }

  /// Checks that no value exceeds a length limit that the class now declares.
  func checkLength(
    of property: PropertyDescription, in name: String, _ names: ObjectNames
  ) throws {
    guard let length = property.definition.length, length.isChecked else { return }
    let holds = property.lengthHolds(
      for: "o.\(SQL.quoted(name))", names.session.connection.catalog)
    guard let first = try names.first(where: "NOT (\(holds))") else { return }
    throw description.refusedUpgrade(
      "property '\(property.name)' now has at most \(length.limit) characters or bytes, but "
        + "\(first) \(first.isOneObject ? "has" : "have") more",
      remedy: "Shorten the values, or raise the limit.")
  }

  /// Checks that no two objects would get the same object ID.
  func checkObjectID(_ change: TableUpgrade, _ names: ObjectNames) throws {
    guard case .properties(let positions) = description.objectID else { return }
    var columns: [String] = []
    for position in positions {
      if let followed = followed[position] {
        // Equal references lead to one object.
        columns += followed.columns.map { "o.\(SQL.quoted($0))" }
        continue
      }
      if let name = change.origins[position].column {
        columns.append("o.\(SQL.quoted(name))")
        continue
      }
      guard let first = try names.first(where: "1 = 1") else { return }
      let property = description.properties[position].name
      throw description.refusedUpgrade(
        "property '\(property)' of its object ID is new, so \(first) would have no object ID",
        remedy: "Use properties as the object ID that all objects have.")
    }
    guard let first = try names.first(whereEqual: columns) else { return }
    throw description.refusedUpgrade(
      "\(first) would have the same object ID",
      remedy: "Correct the objects, or use other properties as the object ID.")
  }
}

extension String {
  /// Whether ``ObjectNames`` named a single object.
  fileprivate var isOneObject: Bool { hasPrefix("object ") || contains(" object ") }
}

extension ObjectNames {
  /// Returns the names of the first objects that have equal, non-null values in all given columns,
  /// or `nil` if no objects do.
  ///
  /// - Parameter columns: SQL expressions in which the table is named `o`.
  /// - Returns: The names, in the form of ``ObjectNames/first(where:values:)``.
  /// - Throws: ``DriverError`` if the query fails.
  func first(whereEqual columns: [String]) throws -> String? {
    let list = columns.joined(separator: ", ")
    let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    return try first(
      where: """
        (\(list)) = (SELECT \(list) FROM \(SQL.quoted(table.name)) AS o WHERE \(present) \
        GROUP BY \(list) HAVING COUNT(*) > 1 LIMIT 1)
        """)
  }
}

extension ClassDescription {
  /// Returns the error for a change of a property's type that would lose values of some objects.
  func refusedConversion(
    of property: PropertyDescription, from oldType: PropertyType?, losing objects: String
  ) -> VaultError {
    let before = oldType.map { " from \($0.rawValue)" } ?? ""
    return refusedUpgrade(
      "property '\(property.name)' changes\(before) to \(property.type.rawValue), but the values of "
        + "\(objects) cannot be converted without loss",
      remedy: "Correct the objects, keep the type, or add a conversion to the class.")
  }
}
