import ObjectVaultCondition
import ObjectVaultDriver

extension ClassDescription {
  /// Validates the search of the class.
  ///
  /// - Throws: `.invalidClass` if no property is searched, a searched property is not text, or a
  ///   column name conflicts with the full-text index.
  func validateSearch() throws(VaultError) {
    guard let search else { return }
    if search.properties.isEmpty {
      throw invalid("its full-text index has no property", remedy: "Add one, or remove the index.")
    }
    if Set(search.properties).count < search.properties.count {
      throw invalid(
        "its full-text index contains a property twice", remedy: "List each property once.")
    }
    for name in search.properties {
      guard let property = properties.first(where: { $0.name == name }) else {
        throw invalid(
          "its full-text index contains '\(name)', which is not a property of the class",
          remedy: "Use stored properties of the class.")
      }
      guard property.type == .string else {
        throw invalid(
          "property '\(name)' is in the full-text index, but its type is \(property.type.rawValue)",
          remedy: "Index only text.")
      }
      if property.column.utf8.contains(UInt8(ascii: "=")) {
        throw invalid(
          "the column '\(property.column)' of property '\(name)' contains '=', which the engine's "
            + "full-text index reads as a setting",
          remedy: "Set the column's name with `@Column`.")
      }
    }
    for column in properties.map(\.column)
    where ReservedNames.searchColumns.contains(column.asciiLowercased) {
      throw invalid(
        "the name of its column '\(column)' is reserved in the engine's full-text index",
        remedy: "Set the column's name with `@Column`.")
    }
  }

  /// The columns of the full-text index, in the order of the search.
  package var searchedColumns: [String] { search.map { columns(of: $0.properties) } ?? [] }
}
