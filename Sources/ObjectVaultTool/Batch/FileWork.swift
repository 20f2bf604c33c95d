import ObjectVaultCore

/// Work on one whole file.
///
/// Control-C stops it in an orderly way. Its errors describe the options that can help.
struct FileWork {
  let file: String
  /// The sentence that states the condition of the file after a signal stopped the work.
  ///
  /// For example: "'x' is unchanged and still has its old key."
  var stopped: String
  var recognition: RecognitionOptions?
  /// The key that opens the file.
  var key: PresentKey?

  /// Performs the work.
  ///
  /// - Parameters:
  ///   - reporter: The reporter of the progress.
  ///   - body: The work. It calls its argument with its progress and rethrows the errors of that
  ///     call.
  /// - Returns: The result of `body`.
  /// - Throws: ``Stopped`` after a signal, and the errors of `body` with advice for the command
  ///   line.
  func run<R>(
    _ reporter: RekeyReporter,
    _ body: (_ progress: @escaping (RekeyProgress) throws -> Void) throws -> R
  ) throws -> R {
    let message = "Stopped. \(stopped)"
    try StopSignals.check(message)
    try ExistingFile.check(file, isWhat: "file")
    do {
      return try KeyCancellation.$isCancelled.withValue({ StopSignals.wasReceived }) {
        try body { report in
          try StopSignals.check(message)
          reporter.update(report)
        }
      }
    } catch let error as VaultError {
      // A signal ends the trial of slots and the request to a key provider.
      if [.cancelled, .providerFailed].contains(error.code) { try StopSignals.check(message) }
      throw explained(error)
    }
  }

  /// Returns the error with advice about the options that can help.
  private func explained(_ error: VaultError) -> any Error {
    var error = key?.explained(error, at: file) ?? error
    switch error.code {
    case .wrongKey where recognition?.isEmpty == true:
      let detail =
        "If the key is correct, the program of the file may set 'kdf_iter': use --from-kdf-iter."
      error.detail = [error.detail, detail].compactMap(\.self).joined(separator: " ")
      return error
    // The cause can be the given options.
    case .wrongKey, .damaged, .truncated, .unsupportedCipherSettings:
      guard let recognition, !recognition.isEmpty else { return error }
      error.message += " Check \(recognition.optionsGiven) too: the options must match the file."
      return error
    case .cannotOpen where error.engineCode == nil && ExistingFile.isUsable(file):
      // The copy could not be created. The engine opens only the file itself.
      return ToolError(.cannotCreate, error.message)
    default:
      return error
    }
  }
}
