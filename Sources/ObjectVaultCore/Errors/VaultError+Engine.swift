import Foundation
import ObjectVaultEngine
import ObjectVaultKeys

extension VaultError {
  /// Returns the public form of an error of opening or using a file.
  static func from(_ error: any Error, path: String) -> any Error {
    switch error {
    case let error as EngineError: VaultError(error, path: path)
    case let error as KeyError: VaultError(error, path: path)
    default: error
    }
  }

  /// Creates the public form of an engine error.
  init(_ error: EngineError, path: String) {
    self.init(
      error.publicCode, "\(error.message.asSentence) (Vault '\(path)'.)",
      engineCode: error.resultCode == 0 ? nil : error.resultCode, underlying: error)
  }

  /// Creates the public form of a key error.
  init(_ error: KeyError, path: String) {
    self.init(error.publicCode, error.message.asSentence, underlying: error)
    detail = error.detail
  }
}

extension EngineError {
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
    case .busy, .locked: .busy
    case .interrupted: .cancelled
    case .aborted: .transactionAborted
    case .constraintUnique, .constraintPrimaryKey: .duplicate
    case .constraintForeignKey: .danglingReference
    case .constraintNotNull, .constraintCheck, .constraintTrigger, .constraint: .constraint
    case .tooBig, .mismatch: .invalidValue
    case .noMemory: .outOfMemory
    case .sqlError where message.contains("no such module: fts"): .searchUnavailable
    case .sqlError where message.contains(SharedBlobFunctions.lostContent): .damaged
    case .sqlError: .engineRefused
    case .notAuthorized: .engineRefused
    case .statementsInUse, .range, .misuse, .other: .internalError
    }
  }
}

extension KeyError {
  fileprivate var publicCode: VaultError.Code {
    switch code {
    case .noKey: .noKey
    case .invalidKey: .invalidKey
    case .invalidSetting: .invalidArgument
    case .keySourceUnreadable: .keySourceUnreadable
    case .empty: .empty
    case .truncated: .truncated
    case .notEncrypted: .notEncrypted
    case .wrongKey, .saltMismatch: .wrongKey
    case .unauthenticated: .unauthenticated
    case .unsupportedSettings: .unsupportedCipherSettings
    case .damaged: .damaged
    case .keyringMissing: .keyringMissing
    case .keyringMalformed: .keyringMalformed
    case .keyringNewer: .newerFormat
    case .keyringTampered: .keyringTampered
    case .keyringRolledBack: .keyringRolledBack
    case .keyringChanged: .busy
    case .keyringUnwritable: systemError == ENOSPC ? .diskFull : .inputOutput
    case .keyringMismatch: .keyringMismatch
    case .noSuchSlot: .noSuchSlot
    case .slotRefused: .invalidArgument
    case .recoveryCodeMistyped: .invalidKey
    case .madeBeforeFork: .invalidated
    case .cryptography: .unusableEngine
    }
  }
}

extension String {
  /// The text with an initial capital and a final full stop.
  var asSentence: String {
    guard let first else { return self }
    let text = first.uppercased() + dropFirst()
    return text.hasSuffix(".") ? text : text + "."
  }
}
