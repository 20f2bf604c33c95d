internal import ArgumentParser
public import ObjectVaultCore
import ObjectVaultTerminal

import ObjectVaultPlatform

/// The command-line tool.
public enum Tool {
  /// A closure that shows an inspection as a page until it ends.
  ///
  /// It listens on a port of the loopback interface, or on a free one if the port is `nil`, and
  /// prints where.
  public typealias InspectionServer = @Sendable (VaultInspection, UInt16?) throws -> Void

  /// A closure that creates a handle on a shared vault.
  public typealias SharedVaultOpening = @Sendable (SharedVaultPlace) throws -> any Database

  /// The opening of shared vaults in this program, set once before any work; `nil` in a program
  /// without them.
  nonisolated(unsafe) private(set) static var sharedVault: SharedVaultOpening?

  /// The server of this program, set once before any work; `nil` in a program without one.
  nonisolated(unsafe) private(set) static var inspectionServer: InspectionServer?

  /// Runs the subcommand on the command line, and ends the process with its exit status.
  ///
  /// - Parameters:
  ///   - server: The server of `inspect --web`. Without one, that command starts the program
  ///     `objectvault-inspect`, so that the tool contains no server.
  ///   - opening: The opening of shared vaults. Without one, `send` and `receive` start the program
  ///     `objectvault-server`, so that the tool does not contain the client of PostgreSQL.
  public static func run(
    inspectionServer server: InspectionServer? = nil, sharedVault opening: SharedVaultOpening? = nil
  ) -> Never {
    inspectionServer = server
    sharedVault = opening
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
    abstract: "Manage encrypted ObjectVault databases.",
    discussion: """
      A vault is one encrypted file. Its key is never an argument: the tool reads it from --key-file, \
      --key-env or --key-fd, or asks for it on the terminal. If a keyring (VAULT.keyring) is next to \
      the vault, the key opens one of its slots, unless --no-keyring is given.

      Exit status:
         0  success
         1  a check found a problem, or one of several files failed
         2  a check found no problem but could not check everything
        64  the command line is wrong: an option, a condition or a name in it; or you answered no
        65  bad data: a file that is not a vault or is damaged, or an import that cannot be stored
        66  a file, class, keyring or slot does not exist, or a file or server cannot be opened
        69  the installed SQLCipher cannot be used, or a key provider or program is missing
        70  a defect of the tool
        73  an output cannot be created, or exists already
        74  reading or writing failed, or another process holds the file
        77  the key was rejected, or its provider is locked or failed
        129, 130, 143  a signal (SIGHUP, SIGINT, SIGTERM) stopped the work on a file
      """,
    version: toolVersion,
    subcommands: [
      CreateCommand.self, ClassesCommand.self, ImportCommand.self, ExportCommand.self,
      QueryCommand.self, InspectCommand.self, PlanCommand.self, RemoveCommand.self,
      HistoryCommand.self, SQLCommand.self, MigrateCommand.self, ReindexCommand.self,
      KeysCommand.self, RekeyCommand.self,
      EncryptCommand.self, DecryptCommand.self, UpgradeCommand.self, CompactCommand.self,
      SizeCommand.self, BackupCommand.self, SendCommand.self, ReceiveCommand.self,
      RestoreCommand.self, VerifyCommand.self, SalvageCommand.self, DoctorCommand.self,
      TesteeCommand.self, ConformanceCommand.self,
    ])
}

/// The version of the tool.
let toolVersion = "0.2.0"
