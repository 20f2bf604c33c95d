internal import CSQLCipher
import ObjectVaultDriver

extension DriverError {
  /// Returns the message for a failure.
  ///
  /// It is the engine's own text if that names only tables and columns, and a text of the library
  /// if the engine's could quote a value.
  static func message(
    _ code: Code, _ resultCode: Int32, engineText: String, moment: Moment
  ) -> String {
    let text = engineText.isEmpty ? standardText(resultCode) : engineText
    switch code {
    case .constraintUnique, .constraintPrimaryKey, .constraintNotNull, .constraintCheck:
      return text
    case .constraintForeignKey:
      return
        "FOREIGN KEY constraint failed: a reference points to a row that does not exist, or the "
        + "change would remove a row that others reference. Store the referenced row first, or "
        + "remove the references."
    case .constraintTrigger:
      // Since SQLite 3.47, RAISE accepts an expression, which may contain a value.
      return sqlite3_libversion_number() < 3_047_000 && !engineText.isEmpty
        ? text : "A trigger of the file rejected the change. Check the trigger."
    case .busy:
      return
        "Another connection has locked the file (\(standardText(resultCode))). Try again, or raise "
        + "the busy timeout."
    case .locked:
      return
        "Another statement of this connection is still running (\(standardText(resultCode))). "
        + "Finish it first."
    case .readOnly where resultCode == Extended.readOnlyRollback:
      return
        "A program that ended during a transaction left a rollback journal, which a connection that "
        + "only reads cannot apply. Open the file for writing once."
    case .readOnly:
      return
        "The file cannot be written (\(standardText(resultCode))). Check the permissions of the "
        + "file, its folder and its -wal, and how the file was opened."
    case .diskFull:
      return "The disk is full. Free some space and try again."
    case .tooBig:
      return
        "A text, a blob or the values of a row exceed the engine's limit, which is 1,000,000,000 "
        + "bytes unless the application has lowered it. Store the value in parts, or in a file of "
        + "its own."
    case .inputOutput:
      return "Reading or writing the file failed (\(standardText(resultCode))). Check the disk."
    case .cannotOpen:
      return "The file cannot be opened. Check its path, its permissions and its folder."
    case .notADatabase:
      return "The key and the cipher settings do not open the file. Check both."
    case .corrupt:
      return
        "A page of the file is damaged or missing (\(standardText(resultCode))). Verify the file, "
        + "and restore it from a backup or salvage it."
    case .aborted:
      return "The transaction was rolled back while the statement ran. Begin it again."
    case .interrupted:
      return "The statement was interrupted. Run it again if its result is needed."
    case .sqlError, .mismatch, .notAuthorized, .other, .constraint:
      return withoutValues(text, moment: moment)
    default:
      return standardText(resultCode)
    }
  }

  /// The message for a file that was opened and is no longer recognized as a database.
  static let damageAfterProof =
    "A page of the file is damaged, or another program changed its key while it was open. Close "
    + "the vault and open it again, or verify the file."

  /// The message for a statement that fails because an earlier one met a damaged page.
  static let damageMetBefore =
    "A page of the file is damaged: an earlier statement found it. Verify the file, and restore it "
    + "from a backup or salvage it."

  /// Whether the engine gave no reason other than the standard text of `SQLITE_ERROR`.
  var isUnexplained: Bool { resultCode == SQLITE_ERROR && message == Self.standardText(resultCode) }

  private static func standardText(_ resultCode: Int32) -> String {
    sqlite3_errstr(resultCode).map { String(cString: $0) } ?? "result code \(resultCode)"
  }

  /// Returns the engine's text without any quoted part that could be a value.
  ///
  /// While SQL is compiled, the text quotes tokens of it: names are retained, literals are removed.
  /// While a statement runs, the text can quote contents of a row or a parameter, so everything
  /// quoted is removed.
  static func withoutValues(_ text: String, moment: Moment) -> String {
    // Full-text queries are not reliably quoted in these messages.
    if text.hasPrefix("fts5: ") || text.contains("MATCH expression") {
      return "The full-text query is invalid. Check its syntax."
    }
    var result = ""
    var rest = Substring(text)
    while let start = rest.firstIndex(where: { "\"'[".contains($0) }) {
      result += rest[..<start]
      let closing: Character = rest[start] == "[" ? "]" : rest[start]
      let inside = rest.index(after: start)
      // The token may contain the quote that surrounds it, so the last one closes.
      guard let end = rest[inside...].lastIndex(of: closing) else {
        return result + "…"
      }
      let token = rest[inside..<end]
      if moment != .running, rest[start] == "\"", isName(token) {
        result += rest[start...end]
      } else {
        result += "…"
      }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private static func isName(_ token: Substring) -> Bool {
    guard let first = token.first, first.isLetter || first == "_" else { return false }
    return token.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
  }
}
