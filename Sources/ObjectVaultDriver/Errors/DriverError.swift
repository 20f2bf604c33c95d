/// A failure of the engine: its kind, its description, and the remedy.
///
/// The message contains neither keys nor stored values. It may contain the names of tables and
/// columns.
@usableFromInline
package struct DriverError: Error, Sendable {
  /// The kind of failure.
  package var code: Code
  /// The description of the failure, the object concerned, and the remedy.
  package var message: String
  /// The engine's extended result code; 0 if the engine did not report the failure.
  package var resultCode: Int32
  /// The system's error number of an input or output failure; 0 if there is none.
  package var systemErrno: Int32

  package init(
    _ code: Code, _ message: String, resultCode: Int32 = 0, systemErrno: Int32 = 0
  ) {
    self.code = code
    self.message = message
    self.resultCode = resultCode
    self.systemErrno = systemErrno
  }

  /// The phase in which a statement failed, which determines the possible contents of the engine's
  /// text.
  @usableFromInline
  package enum Moment: Sendable {
    /// During compilation.
    ///
    /// The text quotes tokens of the SQL.
    case preparing
    /// During execution.
    ///
    /// The text may quote values.
    case running
    /// At any other time.
    case other
  }

  /// The kinds of failure.
  package enum Code: Sendable, Hashable {
    // The engine itself
    /// The process does not call SQLCipher, or calls two libraries at once.
    case notSQLCipher
    /// The engine is SQLCipher, but its version or build cannot be used safely.
    case unsupportedEngine
    /// The engine cannot read or write the requested cipher format.
    case unsupportedFormat
    /// The file needs a cipher setting that the engine does not have.
    case unsupportedSettings
    /// The engine rejected or ignored the setting with this name.
    case settingNotApplied(String)

    // The key and the file
    /// The key is empty.
    case emptyKey
    /// The engine wrote an unencrypted file although it was given a key.
    case ignoredKey
    /// The file is an SQLite database that is not encrypted.
    case plaintextFile
    /// The file has no content.
    case emptyFile
    /// The key, the cipher settings or page 1 are wrong; the engine cannot distinguish these cases.
    case notADatabase
    /// A page does not authenticate, or the structure is broken.
    case corrupt
    /// The file cannot be opened or created.
    case cannotOpen
    /// The file or the connection does not allow writing.
    case readOnly
    /// There is no room left on the disk, or in the file's page limit.
    case diskFull
    /// Reading or writing failed.
    case inputOutput
    /// The connection was lost during a commit, so whether the transaction was stored is unknown.
    case commitUnknown

    // Execution
    /// Another connection holds a lock longer than the busy timeout.
    case busy
    /// Another statement of this connection prevents the operation.
    case locked
    /// Statements are still running during an operation that does not permit it.
    case statementsInUse
    /// The progress handler or an interrupt stopped the statement.
    case interrupted
    /// The transaction was rolled back while the statement ran in it.
    case aborted
    /// The statement does something that connections of this library do not allow.
    case notAuthorized
    /// A value or a text exceeds the limit of the engine.
    case tooBig
    /// A position is outside the statement's parameters or columns.
    case range
    /// A value has the wrong type for a rowid.
    case mismatch
    /// The interface was used incorrectly.
    case misuse
    /// Memory ran out.
    case noMemory
    /// The SQL is invalid, or a function in it failed.
    case sqlError

    // Constraints
    case constraintUnique
    case constraintPrimaryKey
    case constraintNotNull
    case constraintForeignKey
    case constraintCheck
    case constraintTrigger
    /// Any other constraint.
    case constraint

    /// A result code that has no case here.
    case other
  }
}

extension DriverError: CustomStringConvertible {
  @usableFromInline package var description: String { message }
}
