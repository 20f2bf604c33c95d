internal import CSQLCipher
import ObjectVaultDriver

internal import ObjectVaultPlatform

extension DriverError {
  /// Returns the error for a result code, with the connection's error text.
  static func from(
    _ resultCode: Int32, database: OpaquePointer?, moment: Moment = .other
  ) -> DriverError {
    var extended = resultCode
    var text = ""
    var errno: Int32 = 0
    if let database {
      let last = sqlite3_extended_errcode(database)
      if last & 0xff == resultCode & 0xff {
        if resultCode & ~0xff == 0 { extended = last }
        text = sqlite3_errmsg(database).map { String(cString: $0) } ?? ""
      }
      switch extended & 0xff {
      case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_READONLY, SQLITE_PERM:
        errno = sqlite3_system_errno(database)
      default: break
      }
    }
    var code = Code(resultCode: extended)
    // The engine recognizes only the most common way in which space runs out.
    if code == .inputOutput, [ENOSPC, EDQUOT, EFBIG].contains(errno) { code = .diskFull }
    return DriverError(
      code, DriverError.message(code, extended, engineText: text, moment: moment),
      resultCode: extended, systemErrno: errno)
  }
}

extension DriverError.Code {
  /// Creates the error code for an extended result code.
  init(resultCode: Int32) {
    switch resultCode {
    case Extended.constraintUnique: self = .constraintUnique
    case Extended.constraintPrimaryKey, Extended.constraintRowID: self = .constraintPrimaryKey
    case Extended.constraintNotNull: self = .constraintNotNull
    case Extended.constraintForeignKey: self = .constraintForeignKey
    case Extended.constraintCheck: self = .constraintCheck
    case Extended.constraintTrigger: self = .constraintTrigger
    case Extended.ioNoMemory: self = .noMemory
    // Older engines report this state as SQLITE_CANTOPEN.
    case Extended.readOnlyFolder: self = .cannotOpen
    default: self.init(primary: resultCode & 0xff)
    }
  }

  private init(primary: Int32) {
    switch primary {
    case SQLITE_ERROR, SQLITE_SCHEMA: self = .sqlError
    case SQLITE_PERM, SQLITE_CANTOPEN: self = .cannotOpen
    case SQLITE_INTERRUPT: self = .interrupted
    case SQLITE_ABORT: self = .aborted
    case SQLITE_BUSY, SQLITE_PROTOCOL: self = .busy
    case SQLITE_LOCKED: self = .locked
    case SQLITE_NOMEM: self = .noMemory
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_IOERR: self = .inputOutput
    case SQLITE_CORRUPT: self = .corrupt
    case SQLITE_FULL: self = .diskFull
    case SQLITE_TOOBIG: self = .tooBig
    case SQLITE_CONSTRAINT: self = .constraint
    case SQLITE_MISMATCH: self = .mismatch
    case SQLITE_MISUSE: self = .misuse
    case SQLITE_AUTH: self = .notAuthorized
    case SQLITE_RANGE: self = .range
    case SQLITE_NOTADB: self = .notADatabase
    default: self = .other
    }
  }
}

/// Extended result codes, which the header defines by expressions that Swift does not import.
///
/// They are documented in "Result and Error Codes", sqlite.org/rescode.html.
enum Extended {
  static let constraintCheck = SQLITE_CONSTRAINT | (1 << 8)
  static let constraintForeignKey = SQLITE_CONSTRAINT | (3 << 8)
  static let constraintNotNull = SQLITE_CONSTRAINT | (5 << 8)
  static let constraintPrimaryKey = SQLITE_CONSTRAINT | (6 << 8)
  static let constraintTrigger = SQLITE_CONSTRAINT | (7 << 8)
  static let constraintUnique = SQLITE_CONSTRAINT | (8 << 8)
  static let constraintRowID = SQLITE_CONSTRAINT | (10 << 8)
  static let ioNoMemory = SQLITE_IOERR | (12 << 8)
  static let readOnlyRollback = SQLITE_READONLY | (3 << 8)
  static let readOnlyFolder = SQLITE_READONLY | (6 << 8)
}
