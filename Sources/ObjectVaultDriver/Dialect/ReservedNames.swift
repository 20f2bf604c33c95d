/// The names that no class may use, because an engine or the library does.
package enum ReservedNames {
  /// The beginnings of the names of an engine's and the library's own tables and columns.
  package static let prefixes = ["sqlite_", "objectvault_", "ov_"]
  /// The columns with a special meaning in a full-text index.
  package static let searchColumns = ["rowid", "docid", "rank"]
}
