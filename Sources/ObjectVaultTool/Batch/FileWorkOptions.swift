internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

/// The options of all subcommands that process whole files.
struct FileWorkOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The time to wait for another process that uses a file.", valueName: "seconds"))
  var busyTimeout = 5.0

  @OptionGroup var progress: ProgressOptions

  /// The time to wait for another process that uses a file.
  var timeout: Duration { .seconds(busyTimeout) }

  func validate() throws {
    guard (0...86_400).contains(busyTimeout) else {
      throw ValidationError("--busy-timeout must be from 0 to 86400 seconds, not \(busyTimeout).")
    }
  }

  /// Performs work on one file with progress output, which Control-C stops in an orderly way.
  ///
  /// - Parameters:
  ///   - file: The path of the file.
  ///   - stopped: The state of the file after a signal stopped the work.
  ///   - recognition: The given cipher settings of the file, if the subcommand has such options.
  ///   - key: The key that opens the file, which is used to explain errors.
  ///   - body: The work. It calls its argument with its progress and rethrows the errors of that
  ///     call.
  /// - Returns: The result of `body`.
  /// - Throws: ``Stopped`` after a signal, and the errors of `body` with advice for the command
  ///   line.
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
