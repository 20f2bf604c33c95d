import Foundation
import TestSupport
import Testing

import ObjectVaultPlatform

/// What a terminal and a process are while and after a key is asked for.
@Suite("The question for a key") struct PromptTests {
  private func asked(_ tool: TestTool) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal("objectvault", ["classes", tool.vault])
    #expect(terminal.expect("Passphrase for"))
    #expect(!terminal.echoes)
    return terminal
  }

  @Test("Control-C ends the program by SIGINT and restores the terminal")
  func interrupted() throws {
    let terminal = try asked(try TestTool.withVault(.passphrase))
    terminal.type("abc\u{03}")
    let end = terminal.waitForEnd()
    #expect(end == (SIGINT, false))
    #expect(terminal.echoes)
    #expect(!terminal.transcript.contains("abc"))
  }

  @Test(
    "a signal ends the program and restores the terminal",
    arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGABRT])
  func ended(by signal: Int32) throws {
    let terminal = try asked(try TestTool.withVault(.passphrase))
    terminal.type("abc")
    terminal.signal(signal)
    let end = terminal.waitForEnd()
    #expect(end == (signal, false))
    #expect(terminal.echoes)
  }

  @Test("Control-Z suspends with a restored terminal, and the question comes again")
  func suspended() throws {
    let tool = try TestTool.withVault(.passphrase)
    let program = ChildProcess.path(of: "objectvault")
    // Only a shell with job control can suspend a program.
    let terminal = try PseudoTerminal(
      "/bin/sh", ["-i"], environment: ["PS1": "shell> ", "ENV": "/dev/null"])
    #expect(terminal.expect("shell> "))
    terminal.type("'\(program)' classes '\(tool.vault)'\r")
    #expect(terminal.expect("Passphrase for"))
    terminal.type("dropped\u{1A}")
    #expect(terminal.expect("shell> "))
    #expect(terminal.echoes)
    terminal.type("fg\r")
    #expect(terminal.expect("Passphrase for"))
    #expect(!terminal.echoes)
    terminal.type(TestTool.passphrase + "\r")
    #expect(terminal.expect("No classes yet."))
    #expect(terminal.expect("shell> "))
    #expect(terminal.echoes)
    terminal.type("exit\r")
    _ = terminal.wait()
    #expect(!terminal.transcript.contains("dropped"))
    #expect(!terminal.transcript.contains(TestTool.passphrase))
  }
}
