internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct SalvageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "salvage",
    abstract: "Recover what can be read of a damaged file into a new vault.",
    discussion: """
      Every row that is not on a bad page is recovered, with its objectID, into the same tables \
      with their indexes. Lost classes and ranges of objectIDs are named. The damaged file is not \
      changed. The new one is encrypted with the same key unless another is given, and is verified \
      before it gets its name.

      If page 1 is lost, and with it the list of tables, the classes of a vault are restored from \
      their descriptions in the file; rows of no known class are recovered into tables lost_1, \
      lost_2 and so on.

      The exit status is 1 if something is lost; the new file is written all the same.
      """)

  @Argument(help: "The damaged file.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("The path of the new vault; nothing may exist there.", valueName: "vault"),
    completion: .file())
  var to: String

  @OptionGroup(title: "Key options (read from the terminal if none is given)")
  var keys: KeyOptions

  @OptionGroup(title: "Options for another key of the new vault")
  var newKeys: NewKeyOptions

  @OptionGroup var sealing: SealingKeysOption

  @OptionGroup(title: "How the file is encrypted, if that is not detected")
  var recognition: RecognitionOptions

  @OptionGroup var work: FileWorkOptions

  func validate() throws {
    try newKeys.refuseSharedDescriptor(with: keys.sources)
    try sealing.check(with: newKeys)
  }

  func run() throws {
    try ExistingFile.check(file, isWhat: "file")
    let to = try ExistingFile.plain(to)
    try ExistingFile.refuseTaken(to)
    let report = try keys.opening(file) { key in
      let newKey =
        newKeys.isGiven ? try newKeys.key(for: "'\(PrintableText.escaped(to))'") : nil
      return try work.run(
        on: file, stopped: "No new vault was created.", recognition: recognition
      ) { progress in
        try recognition.file(file, key: key, busyTimeout: work.timeout)
          .salvage(
            to: to, key: newKey, omittingSealingKeys: sealing.omitSealingKeys, progress: progress)
      }
    }
    try CheckFinding.report(report.isWhole ? nil : .problem) {
      try StandardOutput.shared.write(report.text(target: to))
    }
  }
}
