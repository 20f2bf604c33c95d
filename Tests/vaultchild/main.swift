// Started by tests as another process. The first argument is the command.

internal import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
guard let name = arguments.first else {
  report("usage: vaultchild COMMAND …")
  exit(64)
}
#if os(Linux)
  if name == "observe" { exit(await observe(Array(arguments.dropFirst()))) }
  if name == "stream" { exit(await stream(Array(arguments.dropFirst()))) }
  if name == "torture" { exit(torture(Array(arguments.dropFirst()))) }
  if let command = forkCommands[name] { exit(command(Array(arguments.dropFirst()))) }
  if name == "process-state" { exit(processState(Array(arguments.dropFirst()))) }
  if let command = memoryCommands[name] { exit(command(Array(arguments.dropFirst()))) }
#endif
if let status = await transferCommand(name, Array(arguments.dropFirst())) { exit(status) }
switch name {
case let name where engineCommands[name] != nil:
  exit(engineCommands[name]?(Array(arguments.dropFirst())) ?? 64)
case let name where vaultCommands[name] != nil:
  exit(vaultCommands[name]?(Array(arguments.dropFirst())) ?? 64)
case let name where openingCommands[name] != nil:
  exit(openingCommands[name]?(Array(arguments.dropFirst())) ?? 64)
case let name where rekeyingCommands[name] != nil:
  exit(rekeyingCommands[name]?(Array(arguments.dropFirst())) ?? 64)
case let name where erasableCommands[name] != nil:
  exit(erasableCommands[name]?(Array(arguments.dropFirst())) ?? 64)
case let name where fileCommands[name] != nil:
  exit(fileCommands[name]?(Array(arguments.dropFirst())) ?? 64)
case "stress":
  exit(await stress(Array(arguments.dropFirst())))
case "model":
  exit(model(Array(arguments.dropFirst())))
case "measure-search": exit(measureSearch(Array(arguments.dropFirst())))
case "measure-groups":
  exit(await measureGroups(Array(arguments.dropFirst())))
case "measure-log":
  exit(measureLog(Array(arguments.dropFirst())))
case "measure-removal":
  exit(measureRemoval(Array(arguments.dropFirst())))
default:
  report("vaultchild knows no command \(name)")
  exit(64)
}

@Sendable func report(_ line: String) {
  FileHandle.standardError.write(Data("\(line)\n".utf8))
}

/// Prints a line without buffering, even if the output goes to a file.
@Sendable func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
