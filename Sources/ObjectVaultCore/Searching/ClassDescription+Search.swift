extension ClassDescription {
  /// The column names with a special meaning in a full-text index.
  private static let namesOfRows = ["rowid", "docid", "rank"]

  /// Validates the search of the class.
  ///
  /// - Throws: `.invalidClass` if no property is searched, a searched property is not text, or a
  ///   column name conflicts with the full-text index.
  func validateSearch() throws(VaultError) {
    guard let search else { return }
    if search.properties.isEmpty {
      throw invalid("its search names no property", remedy: "Name one, or leave the search out.")
    }
    if Set(search.properties).count < search.properties.count {
      throw invalid("its search names a property twice", remedy: "Name each once.")
    }
    for name in search.properties {
      guard let property = properties.first(where: { $0.name == name }) else {
        throw invalid(
          "its search names '\(name)', which is no property of it", remedy: "Name its properties.")
      }
      guard property.type == .string else {
        throw invalid(
          "property '\(name)' is to be searched for words, and is \(property.type.rawValue)",
          remedy: "Only a text has words.")
      }
      if property.column.contains("=") {
        throw invalid(
          "the column '\(property.column)' of property '\(name)', which is to be searched, contains "
            + "'=', which the engine's index of words would take for a setting",
          remedy: "Name the column with `@Column`.")
      }
    }
    for column in properties.map(\.column)
    where Self.namesOfRows.contains(column.asciiLowercased) {
      throw invalid(
        "it is searched for words, and its column '\(column)' has a name that the engine's index of "
          + "words uses itself", remedy: "Name the column with `@Column`.")
    }
  }

  /// The columns of the full-text index, in the order of the search.
  var searchedColumns: [String] { search.map { columns(of: $0.properties) } ?? [] }
}
