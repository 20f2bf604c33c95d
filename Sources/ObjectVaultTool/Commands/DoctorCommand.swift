internal import ArgumentParser
import ObjectVaultConformance
import ObjectVaultCore

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Checks whether this machine is fit for vaults.",
    discussion: """
      With a vault it also looks at the files beside it: its keyring, and what programs left that \
      ended in the middle. No key is asked for. What is wrong is marked with ! and comes with what \
      to do about it; exit status 1 then. --clean removes unfinished copies and keyrings that no \
      process is at work on, and nothing else.

      With --format json the result is an array of objects: "subject", "result", and "remedy", which \
      is null where nothing is wrong.
      """)

  /// The words for the forms of the output.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(help: "The path of a vault.", completion: .file())
  var vault: String?

  @Flag(help: "Remove what work that ended in the middle left beside the vault.")
  var clean = false

  @Option(help: "The form of the output.")
  var format = Format.text

  func validate() throws {
    if clean, vault == nil {
      throw ValidationError("--clean goes with the path of a vault.")
    }
  }

  func run() throws {
    // A keyring without its vault is something to look at.
    if let vault, !KeyringFile(besideVault: vault).exists {
      try ExistingFile.check(vault, isWhat: "vault")
    }
    var checks = EngineChecks.all() + ProcessChecks.all()
    if let vault {
      if clean { checks += Self.cleaned(besideVault: ExistingFile.resolved(vault)) }
      checks += try VaultFileChecks.all(vault)
    }
    try write(checks)
    if checks.contains(where: { $0.remedy != nil }) { throw CheckFoundSomething() }
  }

  private static func cleaned(besideVault vault: String) -> [Check] {
    UnfinishedWork.all(besideVault: vault).filter { $0.remove() }.map {
      Check(subject: PrintableText.escaped($0.path), result: "removed (\($0.size) bytes)")
    }
  }

  private func write(_ checks: [Check]) throws {
    switch format {
    case .text:
      for check in checks {
        var line = "\(check.remedy == nil ? " " : "!") \(check.subject): \(check.result)\n"
        if let remedy = check.remedy { line += "    \(remedy)\n" }
        try StandardOutput.shared.write(line)
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
