import Dispatch

/// The same work on several files, some of them at a time.
///
/// When a file fails the others are done all the same; an error that would meet every file ends the
/// whole once the files at work are done.
final class FileBatch: Sendable {
  /// What is done with one file.
  ///
  /// - Returns: The line that says so.
  typealias Work = @Sendable (_ file: String, _ reporter: RekeyReporter) throws -> String

  private let files: [String]
  private let jobs: Int
  /// What was done with the files, as the sum names it: "Rekeyed".
  private let verb: String
  private let console: BatchConsole

  /// - Parameters:
  ///   - jobs: How many files are worked on at a time.
  ///   - verb: What was done with the files, as the sum names it.
  init(_ files: [String], jobs: Int, verb: String, progress: ProgressReporter.Mode) {
    self.files = files
    self.jobs = min(jobs, files.count)
    self.verb = verb
    console = BatchConsole(progress, fileCount: files.count)
  }

  /// Does all files; with one of them it says what went wrong by throwing it.
  ///
  /// - Throws: ``CheckFoundSomething`` where some of several files failed, and what ended the whole.
  func run(_ work: @escaping Work) throws {
    defer { console.finish() }
    guard files.count > 1 else {
      let line = try work(files[0], console.reporter(of: files[0], number: 1))
      try console.say(line)
      return
    }
    let group = DispatchGroup()
    for job in 1..<max(2, jobs) {
      // A queue has a thread of its own when it needs one, also while others wait.
      DispatchQueue(label: "objectvault.batch.\(job)").async(group: group) { self.takeFiles(work) }
    }
    takeFiles(work)
    group.wait()
    let done = console.doneCount
    try console.say("\(verb) \(done) of \(files.count) files.")
    if let ending = console.ending { throw ending }
    if done < files.count { throw CheckFoundSomething() }
  }

  private func takeFiles(_ work: Work) {
    while let number = console.takeNumber() {
      let file = files[number - 1]
      do {
        let line = try work(file, console.reporter(of: file, number: number))
        console.finished(number, saying: line)
      } catch {
        console.failed(number, error)
      }
    }
  }
}
