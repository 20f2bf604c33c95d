internal import ArgumentParser

/// The option `--verbose` of subcommands that open a file with a key.
struct VerboseOption: ParsableArguments, Sendable {
  @Flag(help: "Explain everything that a rejected key can mean.")
  var verbose = false

  func validate() { Failure.isVerbose = verbose }
}
