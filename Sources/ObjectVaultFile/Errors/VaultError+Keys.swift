import Foundation
import ObjectVaultDriver
package import ObjectVaultKeys

extension VaultError {
  /// Returns the public form of an error of opening or using a file.
  package static func from(_ error: any Error, path: String) -> any Error {
    switch error {
    case let error as DriverError: explained(error, path: path)
    case let error as KeyError: VaultError(error, path: path)
    default: error
    }
  }

  private static func explained(_ error: DriverError, path: String) -> VaultError {
    var explained = VaultError(error, path: path)
    if explained.code == .cannotOpen {
      explained.message += LeftoverFile.advice(forFileAt: path)
    }
    return explained
  }

  /// Creates the public form of a key error.
  package init(_ error: KeyError, path: String) {
    self.init(error.publicCode, error.message.asSentence, underlying: error)
    detail = error.detail
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
    case .providerMissing: .providerMissing
    case .providerLocked: .providerLocked
    case .providerFailed: .providerFailed
    case .cancelled: .cancelled
    case .madeBeforeFork: .invalidated
    case .cryptography: .unusableEngine
    }
  }
}
