import ObjectVaultDriver

/// The codes of errors (PostgreSQL's documentation, "PostgreSQL Error Codes") as numbers: their
/// five characters are digits of base 36.
enum SQLState {
  static let indeterminateType = number("42P18")
  static let changedPlan = number("0A000")
  static let noStatement = number("26000")
  static let serialization = number("40001")
  static let untranslatable = number("22021")
  static let usedUp = number("2200H")
  static let deadlock = number("40P01")
  /// The end of a statement that was cancelled, or exceeded a time limit of the server.
  static let ended = number("57014")

  /// Another transaction was in the way: it changed the same rows, or created the same table, column
  /// or index.
  static let conflicts = [serialization, deadlock] + ["42P07", "42701", "42710"].map(number)

  static let readOnlyTransaction = number("25006")
  static let noTable = number("42P01")
  static let noColumn = number("42703")

  static let noFunction = number("42883")

  /// The code of a statement that would drop what other objects of the schema depend on.
  static let dependents = "2BP01"

  /// A value, a row or an entry of an index is too large.
  static let tooLarge = number("54000")

  /// The lost connection of a statement that had no effect, which is no code of the server.
  static let connectionLost = number("OVLST")

  /// The end of the time limit of another statement, which had no effect.
  static let timedOut = number("OVTIM")

  /// Returns the number of a code; 0 for a text that is none.
  static func number(_ code: String) -> Int32 { Int32(code, radix: 36) ?? 0 }

  /// Returns the kind of failure of a code.
  static func kind(_ code: String) -> DriverError.Code {
    switch code {
    case "23505": return .constraintUnique
    case "23503": return .constraintForeignKey
    case "23502": return .constraintNotNull
    case "23514": return .constraintCheck
    case "40001", "40P01", "25P02": return .aborted
    case "57014": return .interrupted
    case "25006": return .readOnly
    case "55P03": return .busy
    // The engine reports used-up numbers of a table so, and a store finds out which it is.
    case "53100", "2200H": return .diskFull
    case "53200": return .noMemory
    case "22021", "22003", "22P05": return .mismatch
    case "54000": return .tooBig
    case "28P01", "28000", "3D000": return .cannotOpen
    // Something depends on what a statement would drop.
    case dependents: return .sqlError
    default: break
    }
    switch code.prefix(2) {
    case "08", "57": return .inputOutput
    case "22", "42", "0A": return .sqlError
    case "23": return .constraint
    case "53": return .busy
    case "58", "XX": return .inputOutput
    default: return .other
    }
  }
}
