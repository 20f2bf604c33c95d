import Dispatch

/// The same work on several files, some of them concurrently.
///
/// If a file fails, the others are still processed. An error that would affect every file ends the
/// batch after the files in progress.
final class FileBatch: Sendable {
  /// The result of the work on one file.
  struct Outcome {
    /// The line that reports the result.
    let line: String
    /// Whether the file was already as requested, so that nothing was done.
    var isUnchanged = false
  }

  /// The work on one file.
  typealias Work = @Sendable (_ file: String, _ reporter: RekeyReporter) throws -> Outcome

  private let files: [String]
  private let jobs: Int
  /// The verb of the summary line, such as "Rekeyed".
  private let verb: String
  private let console: BatchConsole

  /// Creates a batch.
  ///
  /// - Parameters:
  ///   - files: The paths of the files.
  ///   - jobs: The number of files that are processed concurrently.
  ///   - verb: The verb of the summary line, such as "Rekeyed".
  ///   - progress: The form of the progress output.
  init(_ files: [String], jobs: Int, verb: String, progress: ProgressReporter.Mode) {
    self.files = files
    self.jobs = min(jobs, files.count)
    self.verb = verb
    console = BatchConsole(progress, fileCount: files.count)
  }

  /// Processes all files.
  ///
  /// The error of a single file is thrown. The errors of several files are printed.
  ///
  /// - Parameter work: The work on one file.
  /// - Throws: ``CheckFinding/problem`` if some of several files failed, or the error that ended
  ///   the batch.
  func run(_ work: @escaping Work) throws {
    defer { console.finish() }
    guard files.count > 1 else {
      let outcome = try work(files[0], console.reporter(of: files[0], number: 1))
      try console.say(outcome.line)
      return
    }
    let group = DispatchGroup()
    for job in 1..<jobs {
      // A queue gets its own thread when it needs one, even if other queues are waiting.
      DispatchQueue(label: "objectvault.batch.\(job)").async(group: group) { self.takeFiles(work) }
    }
    takeFiles(work)
    group.wait()
    let (done, unchanged) = console.counts
    try console.say(
      "\(verb) \(done - unchanged) of \(files.count) files"
        + (unchanged > 0 ? "; \(unchanged) needed no change." : "."))
    if let ending = console.ending { throw ending }
    if done < files.count { throw CheckFinding.problem }
  }

  private func takeFiles(_ work: Work) {
    while let number = console.takeNumber() {
      let file = files[number - 1]
      do {
        console.finished(number, try work(file, console.reporter(of: file, number: number)))
      } catch {
        console.failed(number, error)
      }
    }
  }
}
