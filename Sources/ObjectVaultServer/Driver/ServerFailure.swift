internal import CPostgreSQL
import ObjectVaultDriver

/// An error that a server reported.
///
/// Its details and hints are not read, because they quote the values of rows.
struct ServerFailure {
  private let code: String
  private let message: String
  private let table: String
  private let column: String
  private let constraint: String

  init(_ result: OpaquePointer) {
    // The names of these fields are character macros, which Swift does not import.
    func field(_ letter: Unicode.Scalar) -> String {
      PQresultErrorField(result, CInt(letter.value)).map { String(cString: $0) } ?? ""
    }
    // Two transactions that create a table at the same time can meet in an index of the catalog.
    let isOfCatalog = field("C") == "23505" && field("s") == "pg_catalog"
    code = isOfCatalog ? "42P07" : field("C")
    message = field("M")
    table = field("t")
    column = field("c")
    constraint = field("n")
  }

  /// Returns the error in the form that the library expects of an engine.
  ///
  /// - Parameter isCancelled: Whether this process cancelled the statement.
  /// - Returns: The error.
  func error(isCancelled: Bool) -> DriverError {
    var kind = SQLState.kind(code)
    // A time limit of the server, or an administrator, ended the statement.
    if kind == .interrupted, !isCancelled { kind = .busy }
    return DriverError(kind, text(kind), resultCode: SQLState.number(code))
  }

  private func text(_ kind: DriverError.Code) -> String {
    switch kind {
    case .constraintNotNull: "NOT NULL constraint failed: \(table).\(column)"
    case .constraintUnique: "UNIQUE constraint failed: constraint \(constraint) of \(table)"
    case .constraintCheck: "CHECK constraint failed: \(constraint)"
    case .constraintForeignKey:
      "FOREIGN KEY constraint failed: constraint \(constraint) of \(table)"
    case .aborted where code == "25P02":
      "The transaction was rolled back after an error. Begin it again."
    case .aborted:
      "Another transaction changed the same objects at the same time. Run the transaction again."
    case .mismatch:
      "The server cannot store a value: a text with a NUL character, or a number out "
        + "of range."
    case .interrupted: "The statement was cancelled."
    case .busy where code == "57014":
      "The server ended the statement, because it exceeded the server's 'statement_timeout' or an "
        + "administrator cancelled it. Try again, or set a longer limit on the server."
    case .busy where code == "55P03":
      "The statement waited for another transaction longer than the server's 'lock_timeout'. Try "
        + "again, or set a longer limit on the server."
    case .tooBig:
      "The server cannot store a value, probably because it is too long for an index, a unique "
        + "property or an object ID, which have room for about 2,700 bytes. Shorten the value, or "
        + "remove the index."
    // The text of other errors can quote a value, except for those of the statement's text itself.
    case .sqlError where ["42", "0A"].contains(code.prefix(2)) || code == SQLState.dependents:
      "The server rejects the statement (\(code)): \(message)"
    default: "The server reports error \(code). See the log of the server."
    }
  }
}
