import ObjectVaultDriver
import ObjectVaultModel

/// The SQL that divides a text into its grams.
///
/// It uses functions of every engine only, so that the triggers of an index work in every program.
enum GramSQL {
  /// The number of characters of the blocks that a text is first cut into.
  ///
  /// The engine counts the characters of a text from its start, so the time for a text that is not
  /// cut would grow with the square of its length.
  private static let (block, run) = (4096, 256)

  /// Returns an expression for the grams of a column, separated by spaces.
  ///
  /// 1. `bare` removes the combining marks, if the text contains any. The engine's `GLOB` reads a
  ///    text to its first NUL only.
  /// 2. `part` cuts off one block after the other. A NUL, at which the engine ends a text, becomes
  ///    two spaces.
  /// 3. `block` and `run` are the blocks and their parts, each with the characters that its last
  ///    grams need. The limits prevent that the engine computes them again for each gram.
  ///
  /// - Parameter column: The column as SQL.
  /// - Returns: The expression; NULL for NULL and for a text without a character.
  static func grams(of column: String) -> String {
    let marks = SearchGrams.marks
    let (first, end) = (marks.lowerBound.value, marks.upperBound.value + 1)
    let head = "substr(CAST(rest AS TEXT), 1, \(block))"
    let overlap = SearchGrams.length - 1
    let digits = (0..<16).map { "(\($0))" }.joined(separator: ", ")
    return "(WITH RECURSIVE "
      + "bare(text, mark) AS (SELECT \(column), CASE WHEN \(column) GLOB '*[' || char(\(first)) "
      + "|| '-' || char(\(end - 1)) || ']*' OR instr(CAST(\(column) AS BLOB), "
      + "CAST(char(0) AS BLOB)) THEN \(first) ELSE \(end) END UNION ALL "
      + "SELECT replace(text, char(mark), ''), mark + 1 FROM bare WHERE mark < \(end)), "
      + "part(rest) AS (SELECT CAST(text AS BLOB) FROM bare WHERE mark = \(end) UNION ALL "
      + "SELECT CASE WHEN length(\(head)) = \(block) "
      + "THEN substr(rest, 1 + length(CAST(\(head) AS BLOB))) "
      + "ELSE CAST('  ' || CAST(substr(rest, 1 + length(CAST(\(head) || char(0) AS BLOB))) AS TEXT) "
      + "AS BLOB) END FROM part WHERE length(rest) > length(CAST(\(head) AS BLOB))), "
      + "block(text) AS (SELECT substr(CAST(rest AS TEXT), 1, \(block + overlap)) FROM part "
      + "LIMIT -1), "
      + "digit(n) AS (VALUES \(digits)), "
      + "run(text) AS (SELECT substr(text, 1 + \(run) * n, \(run + overlap)) FROM block "
      + "CROSS JOIN digit WHERE \(run) * n < length(text) LIMIT -1) "
      + "SELECT group_concat(substr(text, 1 + 16 * a.n + b.n, \(SearchGrams.length)), ' ') FROM run "
      + "CROSS JOIN digit AS a ON 16 * a.n < length(text) "
      + "CROSS JOIN digit AS b ON 16 * a.n + b.n < length(text))"
  }
}
