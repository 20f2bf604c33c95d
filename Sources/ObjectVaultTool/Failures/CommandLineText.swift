/// The arguments as the system passes them: bytes, which Swift repairs where they are no text.
enum CommandLineText {
  /// Rejects arguments that are not UTF-8. Repaired, a condition would ask for other values than the ones
  /// that were typed, and a path would name another file.
  static func check() throws(ToolError) {
    for position in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[position] else { return }
      guard String(validatingCString: argument) != nil else {
        throw ToolError(
          .usage,
          "Argument \(position) is not valid UTF-8. Check the encoding of the terminal or script.")
      }
    }
  }
}
