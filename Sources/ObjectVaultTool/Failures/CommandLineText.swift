/// The arguments as the bytes that the system passes.
///
/// Swift repairs invalid UTF-8.
enum CommandLineText {
  /// Throws an error if an argument is not UTF-8.
  ///
  /// A repaired condition would match other values than the ones typed, and a repaired path would
  /// name another file.
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
