internal import ArgumentParser

/// The option `--verbose` of subcommands that open a file with a key.
struct VerboseOption: ParsableArguments, Sendable {
  @Flag(help: "Explain all possible causes of a rejected key.")
  var verbose = false

  func validate() { Failure.isVerbose = verbose }
}
