import Foundation
import KeyProviderProgram
import Testing

@Suite("The protocol of a program")
struct ServeTests {
  /// A provider that stores the secret in its wrapped bytes.
  private enum Plain: ProviderCommands {
    static func wrap(
      _ secret: borrowing ProtectedBytes, _ request: ProviderRequest
    ) throws(ProviderError) -> [UInt8] {
      if request.settings == "locked" { throw .locked("Unlock it.") }
      return Array(request.label.utf8) + secret.withUnsafeBytes { Array($0) }
    }

    static func unwrap(
      _ wrapped: [UInt8], _ request: ProviderRequest
    ) throws(ProviderError) -> ProtectedBytes {
      if request.settings == "prompt" { return try request.answer(to: "PIN:") }
      return ProtectedBytes(copying: wrapped)
    }

    static func describe(_ wrapped: [UInt8]) throws(ProviderError) -> String { "\(wrapped)" }
  }

  /// Returns the lines that the program sends in response to the lines of a host.
  private func serve(_ lines: String) throws -> [String] {
    let (input, output) = (Pipe(), Pipe())
    try input.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
    try input.fileHandleForWriting.close()
    Plain.serve(
      ProviderChannel(
        input: input.fileHandleForReading.fileDescriptor,
        output: output.fileHandleForWriting.fileDescriptor))
    try output.fileHandleForWriting.close()
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    return String(decoding: answer, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  @Test("Each command has its response after the line of versions")
  func commands() throws {
    let head = "interactive no\nlabel \(base64("v"))\nsettings\n"
    #expect(
      try serve("objectvault-key 1 wrap\n\(head)secret \(base64("key"))\nend\n")
        == ["objectvault-key 1", "wrapped \(base64("vkey"))"])
    #expect(
      try serve("objectvault-key 1 unwrap\n\(head)wrapped AAH/\nend\n")
        == ["objectvault-key 1", "secret AAH/"])
    #expect(
      try serve("objectvault-key 1 describe\nwrapped AAH/\nend\n")
        == ["objectvault-key 1", "text \(base64("[0, 1, 255]"))"])
  }

  @Test("An error is a line with its kind and text")
  func error() throws {
    let settings = base64("locked")
    #expect(
      try serve(
        "objectvault-key 1 wrap\ninteractive no\nlabel\nsettings \(settings)\nsecret AA==\nend\n"
      ) == ["objectvault-key 1", "error locked \(base64("Unlock it."))"])
  }

  @Test("A prompt returns the answer, and a refused one cancels the request")
  func prompts() throws {
    func unwrap(_ interactive: String, _ answer: String) throws -> String? {
      try serve(
        "objectvault-key 1 unwrap\ninteractive \(interactive)\nlabel\nsettings "
          + "\(base64("prompt"))\nwrapped AA==\nend\n\(answer)"
      ).last
    }
    #expect(try unwrap("yes", "answer MTIzNA==\n") == "secret MTIzNA==")
    #expect(try unwrap("yes", "refused\n")?.hasPrefix("error cancelled ") == true)
    #expect(try unwrap("yes", "")?.hasPrefix("error cancelled ") == true)
    #expect(try unwrap("no", "answer MTIzNA==\n")?.hasPrefix("error locked ") == true)
  }

  @Test(
    "A malformed request is an error",
    arguments: [
      "objectvault-key 2 wrap\n", "objectvault-key 1 delete\n", "hello\n", "\n",
      "objectvault-key 1 describe\nend\n", "objectvault-key 1 describe\nwrapped A\nend\n",
      "objectvault-key 1 describe\nwrapped AR==\nend\n", "objectvault-key 1 describe\n",
      "objectvault-key 1 describe\nwrapped AA==\nmore\n",
      "objectvault-key 1 wrap\nlabel\nsettings\nsecret AA==\nend\n",
      "objectvault-key 1 wrap\ninteractive maybe\nlabel\nsettings\nsecret AA==\nend\n",
      "objectvault-key 1 wrap\ninteractive no\nsettings\nlabel\nsecret AA==\nend\n",
    ])
  func malformed(lines: String) throws {
    let answer = try serve(lines)
    #expect(answer.count == 2)
    #expect(answer.last?.hasPrefix("error failed ") == true)
  }

  @Test("A line that is longer than the limit ends the program")
  func longLine() throws {
    // A pipe holds 64 KiB, and the program stops reading there.
    #expect(try serve(String(repeating: "a", count: 65_536)) == ["objectvault-key 1"])
  }

  @Test("Nothing is sent without a request")
  func noRequest() throws {
    #expect(try serve("") == ["objectvault-key 1"])
  }
}
