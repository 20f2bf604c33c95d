internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct CompactCommand: ParsableCommand, Sendable {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Rewrite files without their free pages and keep their key.",
    discussion: """
      Removing objects frees pages for later objects, but the file never becomes smaller by \
      itself. 'objectvault size' shows how much is free. The key, the cipher format and the page \
      size do not change. With a keyring, the file gets a new data key, and no slot changes.

      A verified copy replaces the original, as with 'rekey', whose help also explains Control-C \
      and --jobs. The folder must have room for the copy.
      """)

  @Argument(help: ArgumentHelp("The files to compact.", valueName: "file"), completion: .file())
  var files: [String]

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
      files, jobs: batch.jobs, verb: "Compacted", progress: work.progress.progress)
    try files.run { file, reporter in
      let name = PrintableText.escaped(file)
      let fileWork = FileWork(
        file: file, stopped: "'\(name)' is unchanged.", recognition: recognition, key: present)
      let result = try fileWork.run(reporter) { progress in
        try recognition.file(
          file, key: try present.key(for: file), busyTimeout: work.timeout
        ).compact(progress: progress)
      }
      return FileBatch.Outcome(
        line: "Compacted '\(name)': \(SizeText.of(result.bytesBefore)) before, "
          + "\(SizeText.of(result.bytesAfter)) now.")
    }
  }
}
