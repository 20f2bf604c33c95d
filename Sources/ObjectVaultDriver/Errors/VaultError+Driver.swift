extension VaultError {
  /// Creates the public form of a driver error.
  package init(_ error: DriverError, path: String) {
    self.init(
      error.publicCode, "\(error.message.asSentence) (Vault '\(path)'.)",
      engineCode: error.resultCode == 0 ? nil : error.resultCode, underlying: error)
  }
}

extension DriverError {
  /// The message of a function that finds no shared blob for a digest.
  package static let lostContent = "a shared content is missing"

  fileprivate var publicCode: VaultError.Code {
    switch code {
    case .notSQLCipher, .unsupportedEngine, .settingNotApplied, .ignoredKey: .unusableEngine
    case .unsupportedFormat: .newerCipherFormat
    case .unsupportedSettings: .unsupportedCipherSettings
    case .emptyKey: .noKey
    case .plaintextFile: .notEncrypted
    case .emptyFile: .empty
    case .notADatabase: .wrongKey
    case .corrupt: .damaged
    case .cannotOpen: .cannotOpen
    case .readOnly: .readOnly
    case .diskFull: .diskFull
    case .inputOutput: .inputOutput
    case .commitUnknown: .commitUnknown
    case .busy, .locked: .busy
    case .interrupted: .cancelled
    case .aborted: .transactionAborted
    case .constraintUnique, .constraintPrimaryKey: .duplicate
    case .constraintForeignKey: .danglingReference
    case .constraintNotNull, .constraintCheck, .constraintTrigger, .constraint: .constraint
    case .tooBig, .mismatch: .invalidValue
    case .noMemory: .outOfMemory
    case .sqlError where message.contains("no such module: fts"): .searchUnavailable
    case .sqlError where message.contains(DriverError.lostContent): .damaged
    case .sqlError: .engineRefused
    case .notAuthorized: .engineRefused
    case .statementsInUse, .range, .misuse, .other: .internalError
    }
  }
}

extension String {
  /// The text with an initial capital, and with a full stop unless it ends with one or with a
  /// question mark.
  package var asSentence: String {
    guard let first else { return self }
    let text = first.uppercased() + dropFirst()
    return text.hasSuffix(".") || text.hasSuffix("?") ? text : text + "."
  }
}
