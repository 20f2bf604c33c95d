import ObjectVaultCondition
package import ObjectVaultDriver
package import ObjectVaultModel

/// A comparison of a table of the file with a class.
package struct TableComparison {
  let description: ClassDescription
  let columns: [Schema.Column]
  /// Whether objects will only be read.
  ///
  /// Requirements that columns have for new rows are ignored then.
  var isForReading = false
  /// Whether objects will only be written.
  ///
  /// A column may then accept NULL although the property is not optional.
  var isForWriting = false

  package init(
    description: ClassDescription, columns: [Schema.Column], isForReading: Bool = false,
    isForWriting: Bool = false
  ) {
    self.description = description
    self.columns = columns
    self.isForReading = isForReading
    self.isForWriting = isForWriting
  }

  /// Checks that the table can store the objects.
  ///
  /// - Throws: `.schemaMismatch` with all differences.
  package func check() throws(VaultError) {
    let differences =
      missing + differing + (isForReading ? [] : unexpected) + primaryKeyDifferences
    if !differences.isEmpty { throw Self.mismatch(description, differences) }
  }

  package static func mismatch(_ description: ClassDescription, _ differences: [String])
    -> VaultError
  {
    VaultError(
      .schemaMismatch,
      "Class '\(description.name)' and table '\(description.table)' of the file differ: "
        + "\(differences.joined(separator: "; ")). Nothing was changed. Declare the class as the "
        + "file has it, or store the changed class in another table with `table:`.")
  }

  private func column(_ name: String) -> Schema.Column? {
    columns.first { $0.name == name }
  }

  private var missing: [String] {
    let hidden =
      description.options.keepsInsertionTime && !isForReading ? [InsertionTime.column] : []
    return (description.rowColumns + hidden).filter { column($0) == nil }
      .map { "column '\($0)' is missing" }
  }

  private var differing: [String] {
    description.properties.flatMap { property -> [String] in
      guard let column = column(property.column) else { return [] }
      var differences: [String] = []
      if !property.isKept(by: column.affinity) {
        differences.append(
          "column '\(column.name)' is \(column.type), but property '\(property.name)' needs "
            + property.type.columnType)
      }
      // A rowid is never NULL, whatever its declaration says.
      if !isForWriting, !property.isOptional, !column.isNotNull, column.primaryKeyPlace == 0 {
        differences.append(
          "column '\(column.name)' may be NULL, but '\(property.name)' is not optional")
      }
      if !isForReading, property.isOptional, column.isNotNull, column.primaryKeyPlace == 0 {
        differences.append(
          "column '\(column.name)' is NOT NULL, but '\(property.name)' is optional")
      }
      return differences
    }
  }

  private var unexpected: [String] {
    let known = Set(description.rowColumns)
    return columns.filter {
      !known.contains($0.name) && $0.isNotNull && !$0.hasDefault && $0.primaryKeyPlace == 0
    }.map { "column '\($0.name)' needs a value that the class does not have" }
  }

  private var primaryKeyDifferences: [String] {
    let inFile = columns.primaryKey.map(\.name)
    let wanted = description.objectIDPositions.map { description.rowColumns[$0] }
    guard inFile != wanted else { return [] }
    let names = inFile.isEmpty ? "no column" : inFile.map { "'\($0)'" }.joined(separator: ", ")
    return [
      "the file's primary key is \(names), but the class's object ID is "
        + wanted.map { "'\($0)'" }.joined(separator: ", ")
    ]
  }
}

extension ClassDescription {
  /// Checks that the file is not newer than the class.
  ///
  /// - Throws: `.newerSchema` if the file was written by a newer version of the class.
  package func checkVersion(inFile stored: Int) throws(VaultError) {
    guard stored > version else { return }
    throw VaultError(
      .newerSchema,
      "Class '\(name)' has version \(stored) in the file, but version \(version) in this program, "
        + "which must not write to it. Use the newer program, or open the vault for reading only.")
  }
}

extension ClassDescription {
  /// Returns a property whose column has the values of another one in a later version of the class.
  ///
  /// - Parameter stored: The later version.
  /// - Returns: The first such property of this class, or `nil`.
  package func movedProperty(in stored: ClassDescription) -> PropertyDescription? {
    func later(_ column: String) -> PropertyDescription? {
      stored.properties.first { $0.column == column }
    }
    return properties.first { property in
      later(property.column)?.renamedFrom.contains { former in
        former != property.column && !property.renamedFrom.contains(former)
          && properties.contains { $0.column == former }
          // A column that its property retains did not move.
          && !(later(former)?.renamedFrom.isEmpty ?? false)
      } ?? false
    }
  }

  /// Returns whether a table has all columns that the class's statements use.
  ///
  /// - Parameters:
  ///   - names: The names that statements can use for the table, as ``Schema/names(of:)`` returns
  ///     them.
  ///   - insertionOrder: The terms that order rows by insertion.
  /// - Returns: Whether it has them, and shares the contents of the same properties
  ///   and seals the values of the same ones.
  package func fits(_ names: Set<String>, orderedBy insertionOrder: [String]) -> Bool {
    rowColumns.allSatisfy(names.contains)
      && properties.allSatisfy {
        $0.isShared == names.contains(SharedBlobs.mark($0.column))
          && ($0.sealing != nil) == names.contains(Schema.sealedMark($0.column))
      }
      && insertionOrder.allSatisfy { term in
        // The text after the table's name. An unquoted name is the name of the row ID.
        let name = term.dropFirst(SQL.quoted(table).count + 1)
        return name.hasPrefix("\"") || names.contains(String(name))
      }
  }
}
