internal import KeyProviderProgram
internal import RecoveryShares

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

let usage = """
  Usage: objectvault-shares split --shares N --needed K [--vault NAME]
         objectvault-shares combine

  Divides a recovery code of a keyring into N shares, and restores it from any K of them.

  Fewer than K shares reveal nothing about the code.

  Commands:
    split    Read the recovery code from the terminal or standard input and print the shares.
    combine  Read shares, as printed or their codes alone, and print the recovery code.

  Options:
    --shares N    Print N shares, at most 16.
    --needed K    Require K shares, from 2 to N.
    --vault NAME  Print NAME on the shares; it is for people.
    -h, --help    Print this help.

  Nothing that you type is shown. Standard input can have several shares, separated by empty lines.

  Exit codes:
    0   The shares or the recovery code are printed.
    1   The code or a share is mistyped, or shares are missing, repeated or of several sets, or
        standard output cannot be written.
    64  An argument is unknown or missing.

  """

/// Writes a message to standard error and ends the program.
func fail(_ message: String, status: Int32) -> Never {
  write(message, to: 2)
  exit(status)
}

func write(_ text: String, to descriptor: Int32) {
  ProtectedBytes(copying: text.utf8).write(to: descriptor)
}

/// Writes bytes to standard output, or ends the program with an error.
func output(_ bytes: borrowing ProtectedBytes) {
  guard bytes.write(to: 1) else {
    fail("error: Standard output cannot be written. Check where it leads.\n", status: 1)
  }
}

/// Returns the values of options by their names.
func options(_ arguments: some Sequence<String>, named names: Set<String>) -> [String: String] {
  var values: [String: String] = [:]
  var rest = Array(arguments)[...]
  while let name = rest.popFirst() {
    guard names.contains(name), values[name] == nil, let value = rest.popFirst() else {
      fail(usage, status: 64)
    }
    values[name] = value
  }
  return values
}

func split(_ options: [String: String]) throws(SharesError) {
  guard let total = options["--shares"].flatMap({ Int($0) }),
    let needed = options["--needed"].flatMap({ Int($0) })
  else { fail(usage, status: 64) }
  let vault = options["--vault"] ?? ""
  let input = SecretInput()
  input.prompt("Recovery code: ")
  guard let code = input.line() else {
    fail("error: There is no recovery code. Enter one.\n", status: 1)
  }
  try RecoveryShares.split(code, total: total, needed: needed) { share in
    if share.number > 1 { output(ProtectedBytes(copying: "\n".utf8)) }
    output(share.text(vault: vault))
  }
}

func combine() throws(SharesError) {
  let input = SecretInput()
  var shares = ShareSet()
  var entered = 0
  while shares.missing > 0 {
    input.prompt("Share \(shares.numbers.count + 1): ")
    guard let block = input.block() else { break }
    entered += 1
    do throws(SharesError) {
      try shares.add(try block.share(name: "share \(entered) that was entered"))
    } catch {
      guard input.isTerminal else { throw error }
      write("\(error)\n", to: 2)
    }
  }
  // Further shares are checked, too.
  while !input.isTerminal, let block = input.block() {
    entered += 1
    try shares.add(try block.share(name: "share \(entered) that was entered"))
  }
  let code = try RecoveryShares.combine(shares)
  output(code)
  output(ProtectedBytes(copying: "\n".utf8))
}

do throws(SharesError) {
  let arguments = CommandLine.arguments.dropFirst()
  switch arguments.first {
  case "split":
    try split(options(arguments.dropFirst(), named: ["--shares", "--needed", "--vault"]))
  case "combine":
    _ = options(arguments.dropFirst(), named: [])
    try combine()
  case "-h", "--help": output(ProtectedBytes(copying: usage.utf8))
  default: fail(usage, status: 64)
  }
} catch {
  fail("error: \(error)\n", status: 1)
}
