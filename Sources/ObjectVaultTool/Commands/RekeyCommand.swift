internal import ArgumentParser
import ObjectVaultConformance
import ObjectVaultCore

struct RekeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rekey",
    abstract: "Encrypts files under another key.",
    discussion: """
      FILE is a vault, or a database that another program made with SQLCipher 1 to 4; cipher format \
      and page size are found out, and stay. A copy is made under the new key in the file's folder, \
      every page of it authenticated and its contents compared with the original; then it takes the \
      place of the original. Whatever happens before that, the original is kept under its old key. \
      Nobody else may have the file open.

      Both keys are asked for once for all files, the new one twice. Several files are rekeyed one \
      after another; when one fails the others are done all the same, and the exit status is 1. With \
      one file it says what went wrong, see objectvault --help.

      Control-C stops the work in order: the file at work is kept as it was, its copy removed; exit \
      status 130 (143 for SIGTERM).
      """)

  @Argument(help: ArgumentHelp("The files to rekey.", valueName: "file"))
  var files: [String]

  @OptionGroup(title: "Options for the present key (asked for on the terminal where none is given)")
  var keys: KeyOptions

  @OptionGroup(title: "Options for the new key (asked for on the terminal where none is given)")
  var newKeys: NewKeyOptions

  @OptionGroup(title: "How the files are encrypted, where that is not found out")
  var recognition: RecognitionOptions

  @Option(
    help: ArgumentHelp(
      "How long to wait for another process that uses a file.", valueName: "seconds"))
  var busyTimeout = 5.0

  @OptionGroup var progress: ProgressOptions

  func validate() throws {
    guard (0...86_400).contains(busyTimeout) else {
      throw ValidationError("--busy-timeout takes 0 to 86400 seconds, not \(busyTimeout).")
    }
    if let descriptor = keys.keyFd, descriptor == newKeys.newKeyFd {
      throw ValidationError(
        "One descriptor cannot hold both keys: --key-fd and --new-key-fd differ.")
    }
  }

  func run() throws {
    try refuseSameFileTwice()
    // A path that leads nowhere is told before a key is asked for.
    if files.count == 1 { try ExistingFile.check(files[0], isWhat: "file") }
    let subject =
      files.count == 1 ? "'\(PrintableText.escaped(files[0]))'" : "the \(files.count) files"
    let key = try keys.key(forSubject: subject)
    let newKey = try newKeys.key(for: subject)
    let reporter = progress.reporter
    defer { reporter.finish() }
    StopSignals.watch()
    if files.count == 1 {
      let rekeyed = try rekey(
        files[0], from: key, to: newKey,
        RekeyReporter(reporter, file: files[0], number: 1, of: 1))
      reporter.finish()
      try say(rekeyed)
    } else {
      try rekeyAll(from: key, to: newKey, reporter)
    }
  }

  // MARK: Files

  /// The second turn would fail, for the key of the first is gone by then.
  private func refuseSameFileTwice() throws {
    for (index, file) in files.enumerated() {
      guard let found = ExistingFile(file) else { continue }
      if let other = files[..<index].first(where: { ExistingFile($0) == found }) {
        throw ToolError(
          .usage,
          "'\(PrintableText.escaped(other))' and '\(PrintableText.escaped(file))' are the same file. "
            + "Give it once. Nothing was done.")
      }
    }
  }

  private func rekeyAll(
    from key: VaultKey, to newKey: VaultKey, _ reporter: ProgressReporter
  ) throws {
    var done = 0
    for (index, file) in files.enumerated() {
      let rekeyed: String
      do {
        rekeyed = try rekey(
          file, from: key, to: newKey,
          RekeyReporter(reporter, file: file, number: index + 1, of: files.count))
      } catch {
        reporter.finish()
        guard Self.concernsAll(error) else {
          _ = Failure.report(error)
          continue
        }
        try say("Rekeyed \(done) of \(files.count) files.")
        throw error
      }
      done += 1
      reporter.finish()
      try say(rekeyed)
    }
    try say("Rekeyed \(done) of \(files.count) files.")
    if done < files.count { throw CheckFoundSomething() }
  }

  /// Prints a line at once. That nobody reads any more is no reason to leave files out.
  private func say(_ line: String) throws {
    do {
      try StandardOutput.shared.write(line + "\n")
      try StandardOutput.shared.flush()
    } catch is OutputClosed {}
  }

  /// Whether an error would meet every other file too.
  private static func concernsAll(_ error: any Error) -> Bool {
    switch error {
    case is Stopped: true
    case let error as VaultError:
      [.noKey, .invalidKey, .keySourceUnreadable, .unusableEngine].contains(error.code)
    default: false
    }
  }

  // MARK: One file

  /// - Returns: What was recognised and done.
  private func rekey(
    _ file: String, from key: VaultKey, to newKey: VaultKey, _ reporter: RekeyReporter
  ) throws -> String {
    let name = PrintableText.escaped(file)
    let stopped = "Stopped. '\(name)' is as it was, under its old key."
    try StopSignals.check(stopped)
    try ExistingFile.check(file, isWhat: "file")
    let facts: CipherFacts
    do {
      facts = try Vault.rekey(
        at: file, from: key, to: newKey, cipherFormat: recognition.fromFormat,
        pageSize: recognition.fromPageSize, derivationRounds: recognition.fromKdfIter,
        busyTimeout: busyTimeout
      ) { report in
        try StopSignals.check(stopped)
        reporter.update(report)
      }
    } catch let error as VaultError {
      throw explained(error, file)
    }
    let rounds = recognition.fromKdfIter.map { ", \($0) rounds of key derivation" } ?? ""
    return
      "Rekeyed '\(name)' (cipher format \(facts.format), pages of \(facts.pageSize) bytes\(rounds))."
  }

  /// The error with what the command line can do about it.
  private func explained(_ error: VaultError, _ file: String) -> any Error {
    switch error.code {
    case .wrongKey where recognition.isEmpty:
      var error = error
      error.message +=
        " If it is the right one: --from-kdf-iter says that the file's program sets 'kdf_iter'."
      return error
    // What is wrong may be what the file was said to be.
    case .wrongKey, .damaged, .truncated:
      guard !recognition.isEmpty else { return error }
      var error = error
      error.message += " Check \(recognition.optionsGiven) too: what is said must fit the file."
      return error
    case .cannotOpen where ExistingFile.isUsable(file):
      // The copy beside it could not be made.
      return ToolError(.cannotCreate, error.message)
    default:
      return error
    }
  }
}
