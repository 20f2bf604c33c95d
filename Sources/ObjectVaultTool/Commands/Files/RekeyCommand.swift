internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct RekeyCommand: ParsableCommand, Sendable {
  static let configuration = CommandConfiguration(
    commandName: "rekey",
    abstract: "Change the key of encrypted files.",
    discussion: """
      FILE is a vault, or a database that another program made with SQLCipher 1 to 4. Its cipher \
      format and page size are detected and do not change. A copy with the new key is written to \
      the file's folder, every page of it is authenticated, and its contents are compared with the \
      original; then it replaces the original. If anything fails before that, the original remains \
      under its old key. No other process may have the file open.

      Both keys are read once for all files; a typed new key must be typed twice. Several files \
      are rekeyed one after another, or --jobs of them at a time. If one fails, the others are \
      still rekeyed, and the exit status is 1. With one file the status names the cause; see \
      objectvault --help.

      --to keyring creates a keyring next to each file, in which the new key opens the first slot. \
      A file with a keyring is rekeyed only if --to names the new kind of key, since its keys can \
      be changed without rewriting pages (keys change) and its pages without changing a key (keys \
      rotate). A keyring that is no longer needed is renamed to FILE.keyring.retired.

      Control-C stops the work cleanly: files that are not finished remain as they were, and \
      their copies are removed; the exit status is 130 (143 for SIGTERM, 129 for SIGHUP).
      """)

  /// The kinds of new key.
  enum Target: String, ExpressibleByArgument, CaseIterable, Sendable {
    case passphrase, raw, keyring
  }

  @Argument(help: ArgumentHelp("The files to rekey.", valueName: "file"), completion: .file())
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "The form of the new key: a passphrase (the default), a raw key, or the key of the "
        + "first slot of a new keyring.",
      valueName: "form"))
  var to: Target?

  @OptionGroup(title: "Options for the present key (read from the terminal if none is given)")
  var keys: KeyOptions

  @OptionGroup(title: "Options for the new key (read from the terminal if none is given)")
  var newKeys: NewKeyOptions

  @OptionGroup var newSlotOptions: NewSlotOptions

  @Option(
    help: ArgumentHelp(
      "With --to keyring, the name of the first slot; '\(VaultKeyring.firstSlotName)' by default.",
      valueName: "name"))
  var newSlot: String?

  @OptionGroup(title: "How the files are encrypted, if that is not detected")
  var recognition: RecognitionOptions

  @OptionGroup var batch: BatchOptions

  @OptionGroup var work: FileWorkOptions

  func validate() throws {
    try newKeys.refuseSharedDescriptor(with: keys.sources)
    try newSlotOptions.check(with: newKeys)
    if to != .keyring, newSlot != nil || newSlotOptions.isGiven {
      throw ValidationError("--new-slot, --new-kind and --new-provider require --to keyring.")
    }
    if to == .passphrase, newKeys.newRawKey {
      throw ValidationError("--new-raw-key cannot be combined with --to passphrase.")
    }
  }

  func run() throws {
    try BatchOptions.refuseSameFileTwice(files)
    // Report a missing file before asking for a key.
    if files.count == 1 {
      try ExistingFile.check(files[0], isWhat: "file")
      try refuseKeyringWithoutTarget(files[0])
    }
    let subject =
      files.count == 1 ? "'\(PrintableText.escaped(files[0]))'" : "the \(files.count) files"
    let present = try keys.proved(
      for: files, before: newSlotOptions.newProvider == nil ? newKeys : nil
    ) {
      try recognition.file($0, key: $1, busyTimeout: work.timeout)
    }
    let newKey =
      to == .keyring
      ? VaultKey.keyring(
        try newSlotOptions.slotKey(newKeys, for: subject, slot: newSlot))
      : try newKeys.key(for: subject, isRaw: to == .raw)
    StopSignals.watch()
    let files = FileBatch(
      files, jobs: batch.jobs, verb: "Rekeyed", progress: work.progress.progress)
    try files.run { file, reporter in
      FileBatch.Outcome(line: try rekey(file, from: present, to: newKey, reporter))
    }
  }

  /// Rekeys a file.
  ///
  /// Returns the line that reports the result.
  private func rekey(
    _ file: String, from present: PresentKey, to newKey: VaultKey, _ reporter: RekeyReporter
  ) throws -> String {
    let name = PrintableText.escaped(file)
    let fileWork = FileWork(
      file: file, stopped: "'\(name)' is unchanged and still has its old key.",
      recognition: recognition,
      key: present)
    let facts = try fileWork.run(reporter) { progress in
      try refuseKeyringWithoutTarget(file)
      return try recognition.file(
        file, key: try present.key(for: file), busyTimeout: work.timeout
      )
      .rekey(to: newKey, progress: progress)
    }
    return "Rekeyed '\(name)' (\(facts))."
  }

  /// Throws an error if the file has a keyring and no target is given.
  ///
  /// A user who changes a passphrase rarely intends to give up the keyring.
  private func refuseKeyringWithoutTarget(_ file: String) throws {
    guard to == nil || to == .keyring, let keyring = try keys.keyring(of: file) else { return }
    let name = PrintableText.escaped(file)
    throw ToolError(
      .usage,
      "'\(name)' has a keyring ('\(PrintableText.escaped(keyring.path))'). To change the key of a "
        + "slot, use 'keys change'; for a new data key, use 'keys rotate'. To stop using the "
        + "keyring, add --to passphrase or --to raw. Nothing was done.")
  }
}
