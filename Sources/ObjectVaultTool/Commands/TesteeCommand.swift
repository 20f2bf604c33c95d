internal import ArgumentParser
import ObjectVaultConformance
import ObjectVaultCore

struct TesteeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "testee",
    abstract: "Answer requests of conformance fixtures on standard input.",
    discussion: """
      For programs that run the fixtures of ObjectVault: reads one request per line from standard \
      input and writes one answer per line to standard output, both as JSON; see \
      Fixtures/README.md. It ends at the end of its input. Requests name the files that are \
      created and removed, so pass only requests that you trust; 'crash' kills it.
      """)

  @Option(help: "The cipher format of new files if a request names none.")
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
