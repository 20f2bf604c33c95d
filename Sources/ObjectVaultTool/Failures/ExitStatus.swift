/// How the tool ends; the numbers from 64 to 77 are those of BSD's sysexits.h.
enum ExitStatus: Int32, Sendable {
  /// All was done.
  case done = 0
  /// A check ran to its end and found something.
  case found = 1
  /// A check found nothing wrong, and could not look at everything.
  case incomplete = 2
  /// The command line is wrong.
  case usage = 64
  /// The content of a file is wrong.
  case badData = 65
  /// A file or a class does not exist or cannot be read.
  case noInput = 66
  /// The engine of this machine cannot be used.
  case unavailable = 69
  /// A defect of the tool.
  case software = 70
  /// A file cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed.
  case inputOutput = 74
  /// The key was refused, or could not be had.
  case keyRefused = 77
  /// Ended by SIGINT, before the work was done; as a shell would say it, 128 and the signal.
  case interrupted = 130
  /// Ended by SIGTERM, before the work was done.
  case terminated = 143
}
