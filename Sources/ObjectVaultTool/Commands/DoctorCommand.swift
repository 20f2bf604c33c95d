internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check that this machine can use vaults, and describe files.",
    discussion: """
      With a vault it also checks the files next to it: its keyring, and leftovers of programs \
      that were killed. It needs no key; with one (--key-file and the like) it also reports how \
      the file is encrypted: its cipher format, its page size, and every setting that differs from \
      the format's own. A problem is marked with ! and followed by its remedy; the exit status is \
      then 1. --clean removes unfinished copies and exports in the vault's folder, and unfinished \
      keyrings and rehearsals and an empty write-ahead log of the vault, that no process is \
      working on, and nothing else. A killed 'decrypt' or 'export' can leave such files in \
      plaintext: pass a path in the folder that it wrote to.

      With --format json the result is an array of objects: "subject", "result", and "remedy", \
      which is null if nothing is wrong.
      """)

  /// The output formats.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(help: "The path of a vault.", completion: .file())
  var vault: String?

  @Flag(help: "Remove leftovers of killed programs from the folder of the vault.")
  var clean = false

  @Option(help: "The form of the output.")
  var format = Format.text

  @OptionGroup(title: "Options for the key of the file, to report how it is encrypted")
  var keys: KeyOptions

  @OptionGroup(title: "How the file is encrypted, if that is not detected")
  var recognition: RecognitionOptions

  func validate() throws {
    if vault == nil, !keys.sources.choice.isAsked {
      throw ValidationError("A key requires the path of a vault.")
    }
    if keys.sources.choice.isAsked, !recognition.isEmpty {
      throw ValidationError("Use \(recognition.optionsGiven) only with the key of the file.")
    }
    if clean, vault == nil {
      throw ValidationError("--clean requires the path of a vault.")
    }
  }

  func run() throws {
    // A keyring without its vault is still worth a check.
    if let vault, !KeyringFile(besideVault: vault).exists,
      UnfinishedWork.all(besideVault: vault).isEmpty
    {
      try ExistingFile.check(vault, isWhat: "vault")
    }
    var checks = EngineChecks.all() + ProcessChecks.all()
    if let vault {
      if clean { checks += Self.cleaned(besideVault: ExistingFile.resolved(vault)) }
      checks += try VaultFileChecks.all(vault)
      if !keys.sources.choice.isAsked {
        var error: VaultError?
        let isKeyring = (try? keys.keyring(of: vault)) != nil
        checks.append(
          CipherCheck.of(vault) {
            try keys.opening(vault) { key in
              let facts = try recognition.file(vault, key: key).cipherInfo()
              if isKeyring { error = VaultKeyring.error(ofOpening: vault, with: key) }
              return facts
            }
          })
        if let error, error.rejectsKeyring {
          checks.append(
            Check(
              subject: "keyring", result: "rejected by the vault (\(error.code))",
              remedy: error.message))
        }
      }
    }
    try CheckFinding.report(checks.contains { $0.remedy != nil } ? .problem : nil) {
      try write(checks)
    }
  }

  private static func cleaned(besideVault vault: String) -> [Check] {
    var checks = UnfinishedWork.all(besideVault: vault).filter { $0.remove() }.map {
      Check(subject: PrintableText.escaped($0.path), result: "removed (\($0.size) bytes)")
    }
    // Runs after the removal of copies, because an active copy needs its keyring.
    if let keyring = try? VaultKeyring(ofVaultAt: vault), keyring.exists,
      (try? keyring.removeIfNeverFinished()) == true
    {
      checks.append(
        Check(
          subject: PrintableText.escaped(keyring.path),
          result:
            "renamed; the new name begins with "
            + "'\(PrintableText.escaped(keyring.path)).retired': its file was never completed"))
    }
    if let log = EmptyLog.remove(ofVaultAt: vault) {
      checks.append(Check(subject: PrintableText.escaped(log), result: "removed (0 bytes)"))
    }
    return checks
  }

  private func write(_ checks: [Check]) throws {
    switch format {
    case .text:
      for check in checks {
        var line = "\(check.remedy == nil ? " " : "!") \(check.subject): \(check.result)\n"
        if let remedy = check.remedy { line += "    \(remedy)\n" }
        try StandardOutput.shared.write(PrintableText.escapedLines(line))
      }
    case .json:
      let json = JSONValue.array(
        checks.map { check in
          .object([
            .init("subject", .string(check.subject)), .init("result", .string(check.result)),
            .init("remedy", check.remedy.map(JSONValue.string) ?? .null),
          ])
        })
      try StandardOutput.shared.write(json.indentedText + "\n")
    }
  }
}
