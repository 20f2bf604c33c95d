internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verify a file: every page, structure, references, indexes and keyring.",
    discussion: """
      FILE is a vault, or a database that another program made with SQLCipher 1 to 4. Every page \
      is authenticated, and each bad one is named with the class that it belongs to. Then the \
      engine checks the structure of tables and indexes, and references; full-text indexes are \
      compared with the texts. Nothing is written, and other processes can use the file at the \
      same time. Problems are marked with !; the exit status is then 1. Plaintext in a sealed \
      property is a problem too; the check needs no sealing key.

      A file without page authentication is not sound unless --from-format 1 or --from-no-hmac \
      names it: someone may have removed the authentication codes.

      If all pages are authentic but this engine cannot read the file, because its cipher format \
      is newer or because a killed program left a rollback journal, the pages are sound and the \
      structure is not checked: the exit status is 2.

      A page, or a whole file, that was replaced by an older copy is as authentic as the latest. A \
      vault whose application calls commitCount() counts its commits: store the number elsewhere, \
      and pass it as --expect-counter.

      With --format json the result is one object: "file", "cipher" ("format", "pageSize", \
      "header"), "pages", "sealed" (whether pages have authentication codes), "badPages" (each \
      with "page", "defect", "of" and "inLog"), "log", "bytesAfterEnd", "structure", "unchecked", \
      "brokenReferences", "unsoundSearches", "sharedBlobs", "unsealedValues", \
      "incompleteHistories", "incompleteOrders", "keyring", "leftovers", "commitCounter", \
      "expectedCounter", "olderCopy", "sound" and "verdict" (sound, soundPages or unsound).
      """)

  /// The output formats.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(help: "The file to check.", completion: .file())
  var file: String

  @OptionGroup(title: "Key options (read from the terminal if none is given)")
  var keys: KeyOptions

  @OptionGroup(title: "How the file is encrypted, if that is not detected")
  var recognition: RecognitionOptions

  @Option(
    help: ArgumentHelp(
      "The least number of commits, as commitCount() returned it.", valueName: "number"))
  var expectCounter: Int?

  @Option(help: "The form of the output.")
  var format = Format.text

  @OptionGroup var work: FileWorkOptions

  func validate() throws {
    if let expectCounter, expectCounter < 0 {
      throw ValidationError("--expect-counter must be 0 or more, not \(expectCounter).")
    }
  }

  func run() throws {
    try ExistingFile.check(file, isWhat: "file")
    Warning.writeMissingChanges(ofFileAt: file)
    let report: VerificationReport
    do {
      report = try keys.opening(file) { key in
        try work.run(
          on: file, stopped: "Nothing was changed.", recognition: recognition
        ) { progress in
          try recognition.file(file, key: key, busyTimeout: work.timeout)
            .verify(expectingCommitCount: expectCounter, progress: progress)
        }
      }
    } catch let error as VaultError where error.code == .unauthenticated {
      // This is a finding about the file, not a failure of the check.
      Failure.complain(error.description)
      throw CheckFinding.problem
    }
    let finding: CheckFinding? =
      switch report.verdict {
      case .sound: nil
      case .soundPages: .incomplete
      case .unsound: .problem
      }
    try CheckFinding.report(finding) {
      switch format {
      case .json: try StandardOutput.shared.write(report.json.indentedText + "\n")
      case .text: try StandardOutput.shared.write(report.text)
      }
    }
  }
}
