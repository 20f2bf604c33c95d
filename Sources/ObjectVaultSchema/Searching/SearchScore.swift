/// The relevance of a row for a search, computed from the counts of FTS4's `matchinfo`.
///
/// Connections of the file register the function.
package enum SearchScore {
  /// The `matchinfo` format: phrases, columns, rows, average lengths, lengths, hits.
  package static let format = "pcnalx"
  package static let functionName = "ov_bm25"
}
