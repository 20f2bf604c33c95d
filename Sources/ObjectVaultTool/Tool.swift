internal import ArgumentParser
import ObjectVaultCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The command-line tool.
package enum Tool {
  /// Runs the subcommand on the command line, and ends the process with its exit status.
  package static func run() -> Never {
    CrashReports.turnOff()
    // Writing to a closed pipe then returns an error, so that transactions end in an orderly way.
    signal(SIGPIPE, SIG_IGN)
    // The same applies to the file size limit, which would end the process during a copy.
    signal(SIGXFSZ, SIG_IGN)
    do {
      try CommandLineText.check()
      try SubcommandCheck.run(CommandLine.arguments.dropFirst())
      var command = try RootCommand.parseAsRoot()
      try command.run()
      try StandardOutput.shared.flush()
      exit(ExitStatus.done.rawValue)
    } catch {
      exit(Failure.report(error).rawValue)
    }
  }
}

struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "objectvault",
    abstract: "Looks into, fills and checks encrypted vaults of objects.",
    discussion: """
      A vault is one encrypted file. Its key never stands on the command line: it is read from \
      --key-file, --key-env or --key-fd, or asked for on the terminal. Where a keyring lies beside the \
      vault (VAULT.keyring) the key opens a slot of it, unless --no-keyring is given.

      Exit status: 0 done; 1 a check found something, or one of several files failed; 2 a \
      check found nothing wrong and could not look at everything; 64 the command line is wrong (an option, a condition, a name that a condition uses); 65 bad data (a \
      file that is no vault, or an import that cannot be kept); 66 no such input (a file or a \
      class); 69 the SQLCipher of this machine cannot be used; 70 a defect of the tool; 73 cannot \
      create; 74 reading or writing failed, or another process holds the file; 77 the key was \
      refused; 130 and 143 a signal \
      stopped the work on a file.
      """,
    version: toolVersion,
    subcommands: [
      CreateCommand.self, ClassesCommand.self, ImportCommand.self, ExportCommand.self,
      QueryCommand.self, InspectCommand.self, PlanCommand.self, RemoveCommand.self,
      SQLCommand.self, MigrateCommand.self, ReindexCommand.self, KeysCommand.self,
      RekeyCommand.self,
      EncryptCommand.self, DecryptCommand.self, UpgradeCommand.self, BackupCommand.self,
      RestoreCommand.self, VerifyCommand.self, SalvageCommand.self, DoctorCommand.self,
      TesteeCommand.self, ConformanceCommand.self,
    ])
}

/// The version of the tool.
let toolVersion = "0.1.0"
