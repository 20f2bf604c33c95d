internal import ArgumentParser
import ObjectVaultCore
import ObjectVaultTerminal

/// The message and the exit status of an error.
enum Failure {
  /// Prints an error to standard error and returns its status.
  ///
  /// Help and version text go to standard output.
  static func report(_ error: any Error) -> ExitStatus {
    switch error {
    case is OutputClosed: return .done
    case CheckFinding.problem: return .found
    case CheckFinding.incomplete: return .incomplete
    case let error as Stopped:
      complain(error.message)
      return error.status
    case let error as ToolError:
      complain(error.message)
      return error.status
    case let error as InspectionServerError:
      complain(error.message)
      return .unavailable
    case let error as VaultError:
      complain(text(of: error))
      return ExitStatus(error)
    default: return reportParsing(error)
    }
  }

  /// Whether errors are explained with all possible causes.
  ///
  /// It is set once, before any work.
  nonisolated(unsafe) static var isVerbose = false

  /// Returns the text of an error.
  ///
  /// A rejected key takes one line unless `--verbose` is given.
  static func text(of error: VaultError) -> String {
    guard error.detail != nil, !isVerbose else { return error.description + remedy(error) }
    var error = error
    error.detail = nil
    return error.description + remedy(error) + " Use --verbose to see other causes."
  }

  /// Returns advice about options, in addition to the library's message.
  private static func remedy(_ error: VaultError) -> String {
    error.code == .keyringMismatch ? " Use --no-keyring for a file that has its own key." : ""
  }

  /// Prints a message with the name of the program as a prefix.
  ///
  /// Messages can contain names from files.
  static func complain(_ message: String) {
    // Earlier output comes first.
    try? StandardOutput.shared.flush()
    StandardError.write("objectvault: \(PrintableText.escapedLines(message))\n")
  }

  private static func reportParsing(_ error: any Error) -> ExitStatus {
    let text = RootCommand.fullMessage(for: error)
    if RootCommand.exitCode(for: error) == .success {
      do {
        try StandardOutput.shared.write(text + "\n")
        try StandardOutput.shared.flush()
        return .done
      } catch {
        return report(error)
      }
    }
    let prefix = "Error: "
    complain(text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text)
    return RootCommand.exitCode(for: error) == .validationFailure ? .usage : .software
  }
}

extension ExitStatus {
  /// Creates the exit status of a vault's error.
  init(_ error: VaultError) {
    switch error.code {
    case .noSuchFile, .noSuchClass, .cannotOpen, .keyringMissing, .noSuchSlot:
      self = .noInput
    case .wrongKey, .noKey, .invalidKey, .providerLocked, .providerFailed:
      self = .keyRefused
    case .keySourceUnreadable:
      // 2 is ENOENT on every platform.
      self = (error.underlying as? KeyError)?.systemError == 2 ? .noInput : .keyRefused
    case .empty, .notEncrypted, .unauthenticated, .unsupportedCipherSettings, .newerCipherFormat,
      .newerFormat, .truncated, .damaged,
      .invalidClass, .schemaMismatch, .upgradeRefused, .newerSchema, .historyIncomplete, .duplicate,
      .invalidValue,
      .constraint, .noSuchObject, .noObjectID, .otherPartition, .danglingReference, .removalDenied,
      .ownership,
      .keyringMalformed, .keyringTampered, .keyringRolledBack, .keyringMismatch, .keyDestroyed:
      self = .badData
    case .invalidCondition, .invalidArgument, .noSuchProperty:
      self = .usage
    case .unusableEngine, .searchUnavailable, .providerMissing:
      self = .unavailable
    case .busy, .readOnly, .diskFull, .inputOutput, .closed, .invalidated, .replaced, .cancelled,
      .outOfMemory, .transactionAborted, .conflict, .connectionLost, .commitUnknown:
      self = .inputOutput
    case .engineRefused:
      self = .badData
    default:
      self = .software
    }
  }
}
