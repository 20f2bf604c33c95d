/// The exit statuses of the tool.
///
/// The numbers from 64 to 77 are those of BSD's sysexits.h.
enum ExitStatus: Int32, Sendable {
  /// All work was done.
  case done = 0
  /// A check was completed and found a problem.
  case found = 1
  /// A check found no problem, but could not cover everything.
  case incomplete = 2
  /// The command line is wrong.
  case usage = 64
  /// The content of a file is invalid.
  case badData = 65
  /// A file or a class does not exist or cannot be read.
  case noInput = 66
  /// The engine or a key provider on this computer is missing or cannot be used.
  case unavailable = 69
  /// The tool has a defect.
  case software = 70
  /// A file cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed.
  case inputOutput = 74
  /// The key was rejected or could not be obtained.
  case keyRefused = 77
  /// SIGHUP stopped the work.
  ///
  /// The number is 128 plus the signal number, as in a shell.
  case hungUp = 129
  /// SIGINT stopped the work.
  case interrupted = 130
  /// SIGTERM stopped the work.
  case terminated = 143
}
