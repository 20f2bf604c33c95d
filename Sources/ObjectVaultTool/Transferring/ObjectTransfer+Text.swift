import ObjectVaultCore
import ObjectVaultTerminal

extension ObjectTransfer {
  /// Transfers the objects and prints a line for each class.
  ///
  /// - Parameters:
  ///   - phase: The name of the work for progress.
  ///   - reporter: The reporter of progress.
  /// - Throws: As ``run(progress:)``.
  func run(_ phase: String, _ reporter: ProgressReporter) throws {
    defer { reporter.finish() }
    var last: Progress?
    let report = try run { progress in
      if let last, last.className != progress.className {
        reporter.endPhase((last.total, last.total))
      }
      last = progress
      reporter.update("\(phase) \(progress.className)", (progress.done, progress.total))
    }
    if let last { reporter.endPhase((last.total, last.total)) }
    reporter.finish()
    var text = ""
    for result in report.classes {
      let present = result.present > 0 ? ", \(result.present) of them were there before" : ""
      text +=
        "\(PrintableText.escaped(result.name)): \(counted(Int(result.count), "object"))\(present)\n"
    }
    try StandardOutput.shared.write(text.isEmpty ? "There are no classes.\n" : text)
  }
}
