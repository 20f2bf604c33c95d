internal import ArgumentParser
import ObjectVaultConformance
import ObjectVaultCore

struct TesteeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "testee",
    abstract: "Answer requests of conformance fixtures on standard input.",
    discussion: """
      This is for programs that run the fixtures of ObjectVault: one request a line is read from \
      standard input, and one answer a line is written to standard output, both as JSON. \
      Fixtures/README.md describes them. It ends when its input ends. Requests name the files that \
      are made and removed, so give it only requests that you trust; 'crash' kills it.
      """)

  @Option(help: "The cipher format of new files where a request does not say one.")
  var cipherFormat = CreateCommand.Format.native

  func run() throws {
    let testee = LibraryTestee(
      cipherFormat: cipherFormat == .portable ? .portable : .native, mayCrash: true)
    do {
      try ServeLoop(testee, input: 0, output: 1).run()
    } catch let error as TesteeEnded {
      throw ToolError(.inputOutput, error.reason)
    }
  }
}
