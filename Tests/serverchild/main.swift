// Started by tests and scripts as another process that uses a server. The first argument is the
// command.

internal import Foundation

func report(_ line: String) {
  FileHandle.standardError.write(Data("serverchild: \(line)\n".utf8))
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  switch arguments.first {
  case "transfers": try Transfers(arguments.dropFirst()).run()
  case "load": try FailoverLoad(arguments.dropFirst()).run()
  default:
    report("usage: serverchild transfers ADDRESS SCHEMA SECONDS WORKER FILE")
    report("       serverchild load URL SECONDS FILE")
    exit(64)
  }
} catch {
  report("\(error)")
  exit(1)
}
