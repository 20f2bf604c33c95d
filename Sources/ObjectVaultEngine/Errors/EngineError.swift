/// A failure of the engine: what kind, what happened, and how to mend it.
///
/// Neither keys nor stored values stand in the message; names of tables and columns may.
package struct EngineError: Error, Sendable {
  /// What kind of failure it is.
  package var code: Code
  /// What happened, to what, and how to mend it.
  package var message: String
  /// The engine's extended result code; 0 where the engine did not report the failure.
  package var resultCode: Int32
  /// The system's error number behind an input or output failure; 0 where there is none.
  package var systemErrno: Int32

  package init(
    _ code: Code, _ message: String, resultCode: Int32 = 0, systemErrno: Int32 = 0
  ) {
    self.code = code
    self.message = message
    self.resultCode = resultCode
    self.systemErrno = systemErrno
  }

  /// The kinds of failure.
  package enum Code: Sendable, Hashable {
    // The engine itself
    /// The process does not call SQLCipher, or calls two libraries at once.
    case notSQLCipher
    /// The engine is SQLCipher, but a version or a build that cannot be used safely.
    case unsupportedEngine
    /// The engine cannot read or write the cipher format asked for.
    case unsupportedFormat
    /// The file needs a cipher setting that the engine does not have.
    case unsupportedSettings
    /// A setting named here was refused or not taken over by the engine.
    case settingNotApplied(String)

    // The key and the file
    /// The key is empty.
    case emptyKey
    /// The engine wrote a file in clear although it was given a key.
    case ignoredKey
    /// The file is an SQLite database that is not encrypted.
    case plaintextFile
    /// The file has no content.
    case emptyFile
    /// The key, the cipher settings or page 1 are wrong: the engine cannot tell which.
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

    // Running
    /// Another connection holds the file longer than the busy timeout.
    case busy
    /// Another statement of this connection is in the way.
    case locked
    /// Statements are still running where none may be.
    case statementsInUse
    /// The progress handler or an interrupt stopped the statement.
    case interrupted
    /// The transaction was rolled back while the statement ran in it.
    case aborted
    /// The statement does something that connections of this library do not allow.
    case notAuthorized
    /// A value or a text is larger than the engine takes.
    case tooBig
    /// A position outside the statement's parameters or columns.
    case range
    /// A value of the wrong type for a rowid.
    case mismatch
    /// The interface was used against its rules.
    case misuse
    /// Memory ran out.
    case noMemory
    /// The SQL is not right, or a function in it failed.
    case sqlError

    // Constraints
    case constraintUnique
    case constraintPrimaryKey
    case constraintNotNull
    case constraintForeignKey
    case constraintCheck
    case constraintTrigger
    /// Another constraint.
    case constraint

    /// A result code without a name here.
    case other
  }
}

extension EngineError: CustomStringConvertible {
  package var description: String { message }
}
