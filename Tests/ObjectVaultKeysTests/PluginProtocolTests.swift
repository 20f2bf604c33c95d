import Foundation
import ObjectVaultKeys
import Testing

@Suite("Requests to key provider programs")
struct PluginProtocolTests {
  private let secret = Array("0123456789abcdef0123456789abcdef".utf8)

  private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  private func unwrap(_ wrapped: [UInt8], by provider: PluginKeyProvider) throws -> [UInt8] {
    try provider.unwrap(wrapped, label: "v").withUnsafeBytes { Array($0) }
  }

  @Test("A request consists of the lines of the protocol, without arguments")
  func wrap() throws {
    let program = try FakeProgram("hello; echo $# >> $HERE/arguments; request; echo wrapped AQID")
    let provider = program.provider(settings: "pcrs=7")
    #expect(try provider.wrap(Secret(copying: secret), label: "vault words") == [1, 2, 3])
    #expect(
      program.text("request") == """
        objectvault-key 1 wrap
        interactive no
        label \(base64("vault words"))
        settings \(base64("pcrs=7"))
        secret \(Data(secret).base64EncodedString())
        end

        """)
    #expect(program.text("arguments") == "0\n")
  }

  @Test("The secret of wrapped bytes is returned, and empty settings are a line without value")
  func unwrap() throws {
    let program = try FakeProgram(
      "hello; request; echo secret \(Data(secret).base64EncodedString())")
    let provider = program.provider(prompt: { _ in nil })
    #expect(try unwrap([255, 0, 62], by: provider) == secret)
    #expect(
      program.text("request")
        == "objectvault-key 1 unwrap\ninteractive yes\nlabel dg==\nsettings\nwrapped /wA+\nend\n")
  }

  @Test("A description is one line without control characters")
  func describe() throws {
    let text = base64("Token\n'ä'\u{1B}[31m\u{202E} red\u{0}")
    let program = try FakeProgram("hello; request; echo text \(text)")
    #expect(try program.provider().describe([1]) == "Token 'ä' [31m red")
    #expect(program.text("request") == "objectvault-key 1 describe\nwrapped AQ==\nend\n")
  }

  @Test("Bytes of every length arrive as they were sent, in both directions")
  func lengths() throws {
    let program = try FakeProgram("hello; request; echo wrapped $secret")
    for count in [1, 2, 3, 4, 31, 32, 33, 1024] {
      let bytes = (0..<count).map { UInt8(($0 * 151 + count) & 255) }
      #expect(try program.provider().wrap(Secret(copying: bytes), label: "v") == bytes)
    }
  }

  @Test("Wrapped bytes of 16 KiB pass, and one more byte is an error")
  func largest() throws {
    for (count, expected) in [(16_384, nil), (16_385, KeyError.Code.providerFailed)] {
      let program = try FakeProgram(
        "hello; request; printf 'wrapped %s\\n' \"$(head -c \(count) /dev/zero | base64 -w0)\"")
      var result = 0
      let found = keyCode {
        result = try program.provider().wrap(Secret(utf8: "s"), label: "v").count
      }
      #expect(found == expected)
      #expect(result == (expected == nil ? count : 0))
    }
  }

  @Test(
    "Each kind of error has its own code and contains the text of the program",
    arguments: [
      ("missing", KeyError.Code.providerMissing), ("locked", .providerLocked),
      ("failed", .providerFailed), ("cancelled", .providerFailed), ("other", .providerFailed),
    ])
  func errors(kind: String, expected: KeyError.Code) throws {
    let text = base64("Insert\u{7} the token.")
    let program = try FakeProgram("hello; request; echo error \(kind) \(text)")
    let error = try #require(
      keyError { _ = try program.provider().unwrap([1], label: "v") })
    #expect(error.code == expected)
    #expect(error.message.contains("'fake'"))
    #expect(error.message.contains("Insert the token."))
  }

  @Test(
    "Texts of 1,000 bytes pass, and one more byte is an error",
    arguments: ["prompt", "error locked"])
  func longestTexts(words: String) throws {
    for count in [1000, 1001] {
      let text = base64(String(repeating: "y", count: count))
      let program = try FakeProgram(
        "hello; request; echo \(words) \(text); read -r answer; echo secret AQ==")
      let provider = program.provider(prompt: { _ in Secret(utf8: "1") })
      let isPrompt = words == "prompt"
      let expected = count > 1000 ? KeyError.Code.providerFailed : isPrompt ? nil : .providerLocked
      #expect(keyCode { _ = try unwrap([1], by: provider) } == expected)
      #expect(!program.isRunning)
    }
  }

  @Test(
    "A response that is not of the protocol is an error",
    arguments: [
      "secret", "secret AQ=", "secret AQ==AQ==", "secret AR==", "secret AQI", "secret AQ== AQ==",
      "secret A*==", "wrapped AQ==", "text AQ==", "answer AQ==", "", "secret  AQ==", "secret ====",
      "secret =AQ=", "SECRET AQ==", "secret AQ==\\r", "secret A\\001==", "error", "prompt A",
    ])
  func invalidResponses(line: String) throws {
    let program = try FakeProgram("hello; request; printf '\(line)\\n'")
    #expect(keyCode { _ = try program.provider().unwrap([1], label: "v") } == .providerFailed)
    #expect(!program.isRunning)
  }

  @Test("A prompt is answered by the closure, and its time does not count")
  func prompt() throws {
    let program = try FakeProgram(
      """
      hello; request; echo prompt \(base64("PIN\n:")); read -r word pin
      [ "$word" = answer ] && echo secret $pin
      """)
    let provider = program.provider(timeLimit: .seconds(5)) { text in
      #expect(text == "PIN :")
      return Secret(utf8: "1234")
    }
    #expect(try unwrap([1], by: provider) == Array("1234".utf8))
    let slow = program.provider(timeLimit: .seconds(1)) { _ in
      usleep(1_200_000)
      return Secret(utf8: "5678")
    }
    #expect(try unwrap([1], by: slow) == Array("5678".utf8))
  }

  @Test("A prompt is refused if no closure or no person answers it")
  func refused() throws {
    let program = try FakeProgram(
      """
      hello; request; echo prompt UA==; read -r word
      [ "$word" = refused ] && echo error cancelled \(base64("No PIN."))
      """)
    for provider in [program.provider(), program.provider(prompt: { _ in nil })] {
      let error = keyError { _ = try provider.unwrap([1], label: "v") }
      #expect(error?.message.hasSuffix("was cancelled. No PIN.") == true)
    }
  }

  @Test("An error of the closure is the underlying error, and the program is ended")
  func failingPrompt() throws {
    struct Interrupted: Error {}
    let program = try FakeProgram("hello; request; echo prompt UA==; read -r word; sleep 60")
    let error = keyError {
      _ = try program.provider(prompt: { _ in throw Interrupted() }).unwrap([1], label: "v")
    }
    #expect(error?.code == .providerFailed)
    #expect(error?.underlying is Interrupted)
    #expect(!program.isRunning)
  }

  @Test("A program that prompts again and again is ended")
  func endlessPrompts() throws {
    let program = try FakeProgram("hello; request; while echo prompt UA==; do read -r word; done")
    let answered = Counter()
    let provider = program.provider(prompt: { _ in
      answered.increment()
      return Secret(utf8: "1")
    })
    #expect(keyCode { _ = try provider.unwrap([1], label: "v") } == .providerFailed)
    #expect(answered.value == 8)
    #expect(!program.isRunning)
  }
}
