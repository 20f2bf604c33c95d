/// The SQL functions of searches, which connections of the file register.
///
/// `ov_bm25` is the relevance of a row, computed from the counts of FTS4's `matchinfo`.
/// `ov_has_words` is whether one of some texts contains a term, for terms with ambiguous grams.
package enum SearchScore {
  /// The `matchinfo` format: phrases, columns, rows, average lengths, lengths, hits.
  package static let format = "pcnalx"
  package static let functionName = "ov_bm25"
  package static let checkName = "ov_has_words"
  /// The greatest number of texts in a call of `ov_has_words`; the engine allows 127 arguments.
  static let checkedTexts = 100
}
