internal import ArgumentParser
import ObjectVaultTerminal

/// The options for processing several files.
struct BatchOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp("The number of files to process at the same time.", valueName: "number"))
  var jobs = 1

  func validate() throws {
    guard (1...64).contains(jobs) else {
      throw ValidationError("--jobs must be from 1 to 64, not \(jobs).")
    }
  }

  /// Throws an error if a file is given twice.
  ///
  /// The second run on it would fail, because the first one replaced its key.
  static func refuseSameFileTwice(_ files: [String]) throws {
    for (index, file) in files.enumerated() {
      guard let found = ExistingFile(file) else { continue }
      if let other = files[..<index].first(where: { ExistingFile($0) == found }) {
        throw ToolError(
          .usage,
          "'\(PrintableText.escaped(other))' and '\(PrintableText.escaped(file))' are the same "
            + "file. Name it only once. Nothing was done.")
      }
    }
  }
}
