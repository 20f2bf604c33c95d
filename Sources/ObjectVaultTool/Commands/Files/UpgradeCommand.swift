internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct UpgradeCommand: ParsableCommand, Sendable {
  static let configuration = CommandConfiguration(
    commandName: "upgrade",
    abstract: "Change the cipher format, page size or header of files and keep their key.",
    discussion: """
      The native cipher format is the newest that the installed SQLCipher writes: 4 with SQLCipher \
      4, 3 with SQLCipher 3.4. The portable format, 3 with pages of 4096 bytes, is the way back: \
      both read it. A file that already has the format, page size and header is not changed.

      A verified copy replaces the original, as with 'rekey', whose help also explains Control-C \
      and --jobs.
      """)

  @Argument(help: ArgumentHelp("The files to upgrade.", valueName: "file"), completion: .file())
  var files: [String]

  @Option(help: "The new cipher format of the files.")
  var cipherFormat = CreateCommand.Format.native

  @OptionGroup var page: PageSizeOption

  @Flag(help: "The new header of the files; by default they keep theirs.")
  var header: HeaderChange?

  @OptionGroup(title: "Key options (read from the terminal if none is given)")
  var keys: KeyOptions

  @OptionGroup(title: "How the files are encrypted, if that is not detected")
  var recognition: RecognitionOptions

  @OptionGroup var batch: BatchOptions

  @OptionGroup var work: FileWorkOptions

  func run() throws {
    try BatchOptions.refuseSameFileTwice(files)
    if files.count == 1 { try ExistingFile.check(files[0], isWhat: "file") }
    let present = try keys.proved(for: files) {
      try recognition.file($0, key: $1, busyTimeout: work.timeout)
    }
    StopSignals.watch()
    let files = FileBatch(
      files, jobs: batch.jobs, verb: "Upgraded", progress: work.progress.progress)
    try files.run { file, reporter in
      let name = PrintableText.escaped(file)
      let fileWork = FileWork(
        file: file, stopped: "'\(name)' is unchanged.", recognition: recognition,
        key: present)
      var isRewritten = false
      let facts = try fileWork.run(reporter) { progress in
        try recognition.file(
          file, key: try present.key(for: file), busyTimeout: work.timeout
        ).upgrade(
          to: cipherFormat.cipherFormat, pageSize: page.pageSize, header: header?.header
        ) {
          if $0.phase == .copying { isRewritten = true }
          try progress($0)
        }
      }
      return isRewritten
        ? FileBatch.Outcome(line: "Upgraded '\(name)' (\(facts)).")
        : FileBatch.Outcome(
          line: "'\(name)' already has \(facts). It was neither changed nor checked.",
          isUnchanged: true)
    }
  }
}
