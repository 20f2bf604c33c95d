import ObjectVaultConformance
import ObjectVaultCore

/// Work on one whole file that Control-C ends in order, and whose errors say what the command line
/// can do about them.
struct FileWork {
  let file: String
  /// What the file is when a signal ended the work: "'x' is as it was, under its old key."
  var stopped: String
  var recognition: RecognitionOptions?
  /// The key that it was opened with.
  var key: PresentKey?

  private var name: String { PrintableText.escaped(file) }

  /// Does it.
  ///
  /// - Parameter body: Calls what it is given with its progress, and lets through what that throws.
  func run<R>(
    _ reporter: RekeyReporter,
    _ body: (_ progress: @escaping (RekeyProgress) throws -> Void) throws -> R
  ) throws -> R {
    let message = "Stopped. \(stopped)"
    try StopSignals.check(message)
    try ExistingFile.check(file, isWhat: "file")
    do {
      return try body { report in
        try StopSignals.check(message)
        reporter.update(report)
      }
    } catch let error as VaultError {
      throw explained(error)
    }
  }

  /// The error with what the command line can do about it.
  private func explained(_ error: VaultError) -> any Error {
    var error = key?.explained(error, at: file) ?? error
    switch error.code {
    case .wrongKey where recognition?.isEmpty == true:
      let detail =
        "If it is the right one: --from-kdf-iter says that the file's program sets 'kdf_iter'."
      error.detail = [error.detail, detail].compactMap(\.self).joined(separator: " ")
      return error
    // What is wrong may be what the file was said to be.
    case .wrongKey, .damaged, .truncated, .unsupportedCipherSettings:
      guard let recognition, !recognition.isEmpty else { return error }
      error.message += " Check \(recognition.optionsGiven) too: what is said must fit the file."
      return error
    case .cannotOpen where ExistingFile.isUsable(file):
      // The copy could not be made.
      return ToolError(.cannotCreate, error.message)
    default:
      return error
    }
  }
}
