package import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension OpenDatabase {
  /// Returns the error for a constraint that rejected a change, in terms of the class and its
  /// properties; `nil` for other failures.
  package func constraintError(_ error: DriverError) -> VaultError? {
    switch error.code {
    case .constraintUnique, .constraintPrimaryKey:
      guard let found = constrained(error, "UNIQUE constraint failed: ") else { return nil }
      let values = found.properties.formattedNames
      return found.error(
        .duplicate, error,
        "\(found.className.withArticle) with this \(values) already exists. Use another value, or "
          + "update the stored object.")
    case .constraintNotNull:
      guard let found = constrained(error, "NOT NULL constraint failed: ") else { return nil }
      return found.error(
        .constraint, error,
        "\(found.className.withArticle) has no value for \(found.properties.formattedNames). Set a "
          + "value.")
    case .constraintCheck:
      guard let found = checked(error) else { return nil }
      let values = found.properties.formattedNames
      let subject = found.properties.isEmpty ? "the object" : "its \(values)"
      let limit = lengthLimit(error).map { ": \($0)" } ?? ""
      return found.error(
        .constraint, error,
        "A constraint of class '\(found.className)' rejects \(subject)\(limit). Correct the value.")
    default: return nil
    }
  }

  /// Returns the columns of a unique index or of the primary key of a class that has a store.
  ///
  /// - Parameters:
  ///   - constraint: The name of the index or of the primary key. A name that ends with `_key`
  ///     belongs to another constraint.
  ///   - table: The table.
  ///   - catalog: The engine.
  /// - Returns: The columns; `nil` if no store of the class exists in this process, or for another
  ///   constraint.
  package func columns(
    ofConstraint constraint: String, table: String, _ catalog: any Catalog
  ) -> [String]? {
    guard let description = knownClasses.first(where: { $0.table == table }) else { return nil }
    let index = description.indexes.first {
      catalog.objectName(description.name(of: $0)) == constraint
    }
    if let index { return description.columns(of: index.properties) }
    if constraint.hasSuffix("_key") { return nil }
    return description.objectIDPositions.map { description.rowColumns[$0] }
  }

  /// Returns the error for a foreign key of a class that has a store.
  ///
  /// - Parameters:
  ///   - constraint: The name that the engine gave the foreign key: `table_column_fkey`.
  ///   - table: The referring table.
  /// - Returns: The error; `nil` if the class has no store in this process, or several references
  ///   and none with this name.
  package func dangling(ofConstraint constraint: String, table: String) -> VaultError? {
    guard let description = knownClasses.first(where: { $0.table == table }) else { return nil }
    let references = description.references
    let reference =
      references.count == 1
      ? references[0]
      : references.first { reference in
        let columns = description.columns(of: reference.properties).joined(separator: "_")
        return constraint == "\(table)_\(columns)_fkey"
      }
    return reference.map {
      VaultError.dangling($0.name, ofClass: description.name, toTable: $0.target)
    }
  }

  /// Returns the class and the properties that the engine's message names as `table.column,
  /// table.column`.
  private func constrained(_ error: DriverError, _ start: String) -> ConstrainedProperties? {
    guard error.message.hasPrefix(start) else { return nil }
    let names = error.message.dropFirst(start.count)
    if let found = findable(names) { return found }
    for description in knownClasses where names.hasPrefix(description.table + ".") {
      // Names may contain dots and commas, so match only columns of the class.
      let columns = names.dropFirst(description.table.count + 1)
        .split(separator: ", \(description.table).", omittingEmptySubsequences: false)
        .map(String.init)
      let properties = columns.compactMap(description.propertyName(ofColumn:))
      if properties.count == columns.count {
        return ConstrainedProperties(className: description.name, properties: properties)
      }
    }
    // A table without a store in this process, or columns without a property.
    let parts = names.split(separator: ", ").map { $0.split(separator: ".", maxSplits: 1) }
    guard let table = parts.first?.first, parts.allSatisfy({ $0.count == 2 && $0[0] == table })
    else { return nil }
    return ConstrainedProperties(
      className: String(table), properties: parts.map { String($0[1]) })
  }

  /// Returns the properties of a unique index over sealed values, which the engine names itself.
  private func findable(_ names: Substring) -> ConstrainedProperties? {
    guard names.hasPrefix("index '"), names.hasSuffix("'") else { return nil }
    let name = names.dropFirst("index '".count).dropLast()
    for description in knownClasses where description.hasSealed {
      let index = description.declaredIndexes.first { description.name(of: $0) == name }
      if let index {
        return ConstrainedProperties(className: description.name, properties: index.properties)
      }
    }
    return nil
  }

  /// Returns the exceeded limit of a length, such as `at most 5 characters in name`.
  private func lengthLimit(_ error: DriverError) -> String? {
    let name = error.message.dropFirst("CHECK constraint failed: ".count)
    return name.hasPrefix("at most ") && name.contains(" in ") ? String(name) : nil
  }

  /// Returns the class and the property of a `CHECK` constraint.
  ///
  /// The engine names the constraint by its name, by its text, or, before SQLite 3.34, by the name
  /// of its table.
  private func checked(_ error: DriverError) -> ConstrainedProperties? {
    let start = "CHECK constraint failed: "
    guard error.message.hasPrefix(start) else { return nil }
    let name = String(error.message.dropFirst(start.count))
    var found: [ConstrainedProperties] = []
    for description in knownClasses {
      let constrained = description.properties.filter { !$0.constraintText.isEmpty }
      let isTable = description.table == name
      let named = constrained.filter {
        isTable ? constrained.count == 1 : $0.constraintText.contains(name)
      }
      if isTable || !named.isEmpty {
        found.append(
          ConstrainedProperties(className: description.name, properties: named.map(\.name)))
      }
    }
    return Set(found).count == 1 ? found.first : nil
  }

  /// The classes with stores in this process, those created in this thread's transaction first.
  private var knownClasses: [ClassDescription] {
    (sessions.isInTransaction ? state.tableCache.madeClasses : [])
      + state.tableCache.tables.withLock { $0.classes }
  }
}

/// The subject of a constraint error.
private struct ConstrainedProperties: Hashable {
  var className: String
  /// The names of the properties in Swift.
  var properties: [String]

  func error(_ code: VaultError.Code, _ engine: DriverError, _ message: String) -> VaultError {
    var error = VaultError(code, message, engineCode: engine.resultCode, underlying: engine)
    error.className = className
    error.propertyNames = properties
    return error
  }
}

extension ClassDescription {
  /// Returns the name of the property, or of the object ID, that a column stores.
  fileprivate func propertyName(ofColumn column: String) -> String? {
    if let property = properties.first(where: { $0.column == column }) { return property.name }
    return rowColumns.contains(column) ? column : nil
  }
}

extension String {
  /// The name preceded by `A` or `An`, depending on its first letter.
  fileprivate var withArticle: String {
    "\("AEIOaeio".contains(first ?? " ") ? "An" : "A") \(self)"
  }
}

extension [String] {
  /// The names in the form `a`, `a and b`, `a, b and c`.
  fileprivate var formattedNames: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}

extension VaultError {
  /// Whether a constraint rejected a change.
  var isOfConstraint: Bool { [.duplicate, .constraint, .danglingReference].contains(code) }
}
