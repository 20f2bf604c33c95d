internal import ArgumentParser

/// `--verbose`, for subcommands that open a file with a key.
struct VerboseOption: ParsableArguments, Sendable {
  @Flag(help: "Explain everything that a rejected key can mean.")
  var verbose = false

  func validate() { Failure.isVerbose = verbose }
}
