import Foundation
import TestSupport
import Testing

@Suite("A crash of the tool")
struct CrashReportTests {
  static let signals = [SIGQUIT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGTRAP]

  @Test("ends it at once by the signal, without a report and without a core", arguments: signals)
  func signal(number: Int32) throws {
    let tool = try TestTool.withVault()
    let terminal = try PseudoTerminal("objectvault", ["classes", tool.vault])
    #expect(terminal.expect("Passphrase for"))
    #if os(Linux)
      let limits = try String(contentsOfFile: "/proc/\(terminal.process)/limits", encoding: .utf8)
      let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
      #expect(core?.split(separator: " ").suffix(3).prefix(2) == ["0", "0"], "\(limits)")
      #expect(try owner(of: "/proc/\(terminal.process)/environ") == 0)
    #endif
    terminal.signal(number)
    #expect(terminal.wait() == number)
    for word in ["Program crashed", "Backtrace", "Thread 0", "Registers"] {
      #expect(!terminal.transcript.contains(word), "\(terminal.transcript)")
    }
  }

  @Test("is reported if SWIFT_BACKTRACE asks for that")
  func askedFor() throws {
    let tool = try TestTool.withVault()
    let terminal = try PseudoTerminal(
      "objectvault", ["classes", tool.vault],
      environment: ["SWIFT_BACKTRACE": "enable=yes,color=no,interactive=no"])
    #expect(terminal.expect("Passphrase for"))
    #if os(Linux)
      // The runtime's handler stays; what it finds to say depends on the machine.
      let status = try String(contentsOfFile: "/proc/\(terminal.process)/status", encoding: .utf8)
      let caught = try #require(
        status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
      )
      let mask = try #require(UInt64(caught, radix: 16))
      #expect(mask & 1 << UInt64(SIGSEGV - 1) != 0)
    #endif
    terminal.signal(SIGKILL)
    _ = terminal.wait()
  }

  #if os(Linux)
    /// A process that cannot be dumped belongs to root in `/proc`, whoever runs it.
    private func owner(of path: String) throws -> Int {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return try #require(attributes[.ownerAccountID] as? Int)
    }
  #endif
}
