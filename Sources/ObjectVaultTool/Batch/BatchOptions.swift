internal import ArgumentParser
import ObjectVaultConformance

/// The options of work on several files.
struct BatchOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp("How many files to work on at the same time.", valueName: "number"))
  var jobs = 1

  func validate() throws {
    guard (1...64).contains(jobs) else {
      throw ValidationError("--jobs takes 1 to 64 files at a time, not \(jobs).")
    }
  }

  /// Work on a file twice would fail the second time, for the key of the first is gone by then.
  static func refuseSameFileTwice(_ files: [String]) throws {
    for (index, file) in files.enumerated() {
      guard let found = ExistingFile(file) else { continue }
      if let other = files[..<index].first(where: { ExistingFile($0) == found }) {
        throw ToolError(
          .usage,
          "'\(PrintableText.escaped(other))' and '\(PrintableText.escaped(file))' are the same file. "
            + "Give it once. Nothing was done.")
      }
    }
  }
}
