internal import ArgumentParser
import ObjectVaultConformance
import ObjectVaultCore

/// The options of all work on whole files.
struct FileWorkOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "How long to wait for another process that uses a file.", valueName: "seconds"))
  var busyTimeout = 5.0

  @OptionGroup var progress: ProgressOptions

  func validate() throws {
    guard (0...86_400).contains(busyTimeout) else {
      throw ValidationError("--busy-timeout takes 0 to 86400 seconds, not \(busyTimeout).")
    }
  }

  /// Does work on one file that Control-C ends in order, with progress.
  ///
  /// - Parameters:
  ///   - stopped: What the file is when a signal ended the work.
  ///   - recognition: What was said of the file, where something can be.
  ///   - key: The key that it was opened with, which explains errors.
  ///   - body: Calls what it is given with its progress, and lets through what that throws.
  func run<R>(
    on file: String, stopped: String, recognition: RecognitionOptions? = nil,
    key: PresentKey? = nil,
    _ body: (_ progress: @escaping (RekeyProgress) throws -> Void) throws -> R
  ) throws -> R {
    StopSignals.watch()
    let reporter = progress.reporter
    defer { reporter.finish() }
    return try FileWork(file: file, stopped: stopped, recognition: recognition, key: key).run(
      RekeyReporter(file: nil, prefix: "") { reporter.update($0, isMilestone: $1) }, body)
  }
}
