internal import ArgumentParser
import ObjectVaultCore

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Checks whether this machine is fit for vaults.",
    discussion: """
      With a vault it also looks at the files beside it; no key is asked for. What is wrong is \
      marked with ! and comes with what to do about it; exit status 1 then.
      """)

  @Argument(help: "The path of a vault.")
  var vault: String?

  func run() throws {
    if let vault { try ExistingFile.check(vault, isWhat: "vault") }
    var checks = EngineChecks.all() + ProcessChecks.all()
    if let vault { checks += try VaultFileChecks.all(vault) }
    for check in checks {
      var line = "\(check.remedy == nil ? " " : "!") \(check.subject): \(check.result)\n"
      if let remedy = check.remedy { line += "    \(remedy)\n" }
      try StandardOutput.shared.write(line)
    }
    if checks.contains(where: { $0.remedy != nil }) { throw CheckFoundSomething() }
  }
}
