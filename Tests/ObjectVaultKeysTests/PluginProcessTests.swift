import Foundation
import Testing

@testable import ObjectVaultKeys

@Suite("Processes of key provider programs")
struct PluginProcessTests {
  private func failure(_ provider: PluginKeyProvider) -> KeyError? {
    keyError { _ = try provider.wrap(Secret(utf8: "the secret of the slot"), label: "v") }
  }

  @Test(
    "A program with another first line gets no secret and is ended",
    arguments: ["echo hello", "echo objectvault-key 2", "echo objectvault-keys 1", "printf '\\n'"])
  func otherProgram(line: String) throws {
    let program = try FakeProgram("\(line); cat > $HERE/request")
    #expect(failure(program.provider())?.code == .providerFailed)
    #expect(program.text("request").isEmpty)
    #expect(!program.isRunning)
  }

  @Test("A program that supports several versions gets a request of version 1")
  func severalVersions() throws {
    let program = try FakeProgram("echo objectvault-key 1 2 10; request; echo wrapped AQ==")
    #expect(failure(program.provider()) == nil)
    #expect(program.text("request").hasPrefix("objectvault-key 1 wrap\n"))
  }

  @Test(
    "Output without end is an error, and the program is ended",
    arguments: ["cat /dev/zero", "tr '\\000' a < /dev/zero", "while echo text; do :; done"])
  func endlessOutput(command: String) throws {
    let program = try FakeProgram("\(command)")
    #expect(failure(program.provider())?.code == .providerFailed)
    #expect(!program.isRunning)
    let second = try FakeProgram("hello; request; tr '\\000' a < /dev/zero")
    let message = failure(second.provider())?.message ?? ""
    #expect(message.contains("sent more than a line of the protocol can contain"), "\(message)")
    #expect(!second.isRunning)
  }

  @Test("Standard error without end does not prevent the response")
  func endlessErrors() throws {
    let program = try FakeProgram(
      "hello; (cat /dev/zero >&2) & request; head -c 300000 /dev/zero >&2; echo wrapped AQ==")
    #expect(failure(program.provider()) == nil)
  }

  @Test("A program that hangs is ended with its children at the time limit")
  func hang() throws {
    for script in ["sleep 60 & echo $! > $HERE/child; wait", "hello; sleep 60"] {
      let program = try FakeProgram(script)
      let error = failure(program.provider(timeLimit: .milliseconds(500)))
      #expect(error?.message.contains("did not respond within 0.5 s") == true)
      #expect(!program.isRunning)
      #expect(program.ends("child"))
    }
  }

  @Test("A program that cannot be killed, such as one of another user, is not waited for")
  func otherUser() throws {
    for isSilent in [true, false] {
      let response = isSilent ? "" : "request; echo wrapped AQ==; "
      let program = try FakeProgram("hello; \(response)exec sleep 60")
      let start = ContinuousClock.now
      let error = PluginProcess.$sendSignal.withValue({ _, _ in }) {
        failure(program.provider(timeLimit: .seconds(isSilent ? 1 : 20)))
      }
      #expect(start.duration(to: .now) < .seconds(30))
      #expect(error?.code == (isSilent ? .providerFailed : nil))
      #expect(error == nil || error?.message.contains("did not respond within 1 s.") == true)
      #expect(program.isRunning)
      let number = program.text("pid").trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(kill(try #require(Int32(number)), SIGKILL) == 0)
      // Its entry is removed from the system when it ends.
      for _ in 0..<1_000 where program.isRunning { usleep(10_000) }
      #expect(!program.isRunning)
    }
  }

  @Test("A cancelled task ends the program")
  func cancellation() async throws {
    let program = try FakeProgram("hello; request; sleep 3600")
    let provider = program.provider(timeLimit: .seconds(3_600))
    let task = Task { failure(provider) }
    while program.text("request").isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    task.cancel()
    #expect(await task.value?.message.hasSuffix("was cancelled.") == true)
    #expect(!program.isRunning)
  }

  @Test("A program that ends without a response is an error with its sanitised diagnostics")
  func crash() throws {
    let program = try FakeProgram("hello; printf 'no\\tdevice\\033[2J\\n' >&2; exit 3")
    let error = try #require(failure(program.provider()))
    #expect(error.code == .providerFailed)
    #expect(error.message.contains("ended with status 3 without a response"))
    #expect(error.detail == "Its diagnostics: no device [2J")
    let killed = try FakeProgram("hello; request; kill -9 $$")
    #expect(failure(killed.provider())?.message.contains("was ended by signal 9") == true)
    let long = try FakeProgram("hello; head -c 5000 /dev/zero | tr '\\000' x >&2; exit 1")
    #expect(failure(long.provider())?.detail?.count ?? 0 == 318)
  }

  @Test("A program that does not read its input does not stop this process with SIGPIPE")
  func closedInput() throws {
    let program = try FakeProgram("hello; exec 0<&-; sleep 0.2; echo error missing")
    let large = PluginKeyProvider(
      "fake", program: program.path, settings: String(repeating: "x", count: 4000))
    #expect(failure(large)?.code == .providerMissing)
  }

  @Test("A response counts although the program does not end, and it is ended then")
  func lateEnd() throws {
    let program = try FakeProgram("hello; request; echo wrapped AQ==; sleep 3600")
    #expect(failure(program.provider(timeLimit: .seconds(3_600))) == nil)
    #expect(!program.isRunning)
  }

  @Test("A program has no other descriptor of this process, and default signal handling")
  func descriptors() throws {
    let program = try FakeProgram(
      """
      ls /proc/$$/fd | tr '\\n' ' ' > $HERE/open; grep SigIgn /proc/$$/status > $HERE/ignored
      hello; request; echo wrapped AQ==
      """)
    // Without O_CLOEXEC, as an application may open a file.
    let descriptor = open("/dev/null", O_RDONLY)
    defer { close(descriptor) }
    #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0)
    #expect(failure(program.provider()) == nil)
    let open = program.text("open").split(separator: " ").compactMap { Int32($0) }
    #expect(Set(open).isSuperset(of: [0, 1, 2]))
    #expect(!open.contains(descriptor))
    // The C library ignores the signals 32 and 33 in every program that it starts.
    let ignored = try #require(program.text("ignored").split(separator: "\t").last)
    #expect(UInt64(ignored.dropLast(), radix: 16).map { $0 & 0x7FFF_FFFF } == 0)
  }

  @Test("A missing or unsafe program is an error that names it")
  func unavailable() throws {
    let folder = try TemporaryFolder()
    let missing = PluginKeyProvider("fake", program: folder.path("nothing"))
    #expect(failure(missing)?.code == .providerMissing)
    #expect(failure(PluginKeyProvider("not-installed"))?.code == .providerMissing)
    #expect(failure(PluginKeyProvider("fake", program: folder.path))?.code == .providerMissing)
    let writable = try FakeProgram("hello", mode: 0o707)
    #expect(failure(writable.provider())?.message.contains("chmod o-w") == true)
    let notExecutable = try FakeProgram("hello", mode: 0o600)
    #expect(failure(notExecutable.provider())?.code == .providerMissing)
    for name in ["", "Upper", "a/b", "..", "a b", String(repeating: "a", count: 33)] {
      #expect(failure(PluginKeyProvider(name))?.code == .invalidKey)
    }
    #expect(failure(PluginKeyProvider("fake", program: "fake"))?.code == .invalidKey)
  }

  @Test("Only absolute folders of PATH are searched, in their order")
  func search() throws {
    let (first, second) = (try FakeProgram("hello"), try FakeProgram("hello"))
    let program = PluginProgram(name: "fake", path: nil)
    let folders = ":relative:/nonexistent:\(second.folder.path):\(first.folder.path)"
    #expect(try program.locate(in: folders) == second.path)
    let relative = String(first.folder.path.dropFirst())
    #expect(keyCode { _ = try program.locate(in: "\(relative):.:") } == .providerMissing)
  }

  @Test("Settings that no line can contain are an error before the program starts")
  func invalidSettings() throws {
    let program = try FakeProgram("hello")
    for settings in ["a\nb", String(repeating: "a", count: 4001)] {
      #expect(failure(program.provider(settings: settings))?.code == .invalidKey)
    }
    #expect(program.text("pid").isEmpty)
  }
}
