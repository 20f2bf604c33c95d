import Foundation
import ObjectVaultKeys
import TestSupport

/// A shell script in the role of a key provider program, in a folder of its own.
final class FakeProgram: Sendable {
  let folder: TemporaryFolder
  let path: String

  /// Writes the script.
  ///
  /// `$HERE` is the folder. `request` reads a request, writes its lines to the file `request`, and
  /// sets a variable to the value of each keyword. The number of the process is in the file `pid`.
  init(_ script: String, mode: Int = 0o700) throws {
    folder = try TemporaryFolder()
    let text = """
      #!/bin/sh
      HERE='\(folder.path)'
      echo $$ > "$HERE/pid"
      hello() { echo "objectvault-key 1"; }
      request() {
        while IFS=' ' read -r keyword value; do
          printf '%s\\n' "$keyword${value:+ $value}" >> "$HERE/request"
          case "$keyword" in
          end) break ;;
          label | settings | secret | wrapped) eval "$keyword=\\$value" ;;
          esac
        done
      }
      \(script)

      """
    path = folder.path("objectvault-key-fake")
    try ProgramFile.write(text, to: path, mode: mode)
  }

  /// Returns a provider that starts the script.
  func provider(
    settings: String = "", timeLimit: Duration = .seconds(20),
    prompt: (@Sendable (String) throws -> Secret?)? = nil
  ) -> PluginKeyProvider {
    PluginKeyProvider(
      "fake", program: path, settings: settings, timeLimit: timeLimit,
      prompt: prompt)
  }

  /// Returns the content of a file that the script wrote, or an empty text.
  func text(_ name: String) -> String {
    (try? String(contentsOfFile: folder.path(name), encoding: .utf8)) ?? ""
  }

  /// Whether the program exists, also as a zombie.
  var isRunning: Bool { kill(process(in: "pid"), 0) == 0 }

  /// Returns whether a process that the script started ends within a second.
  ///
  /// It may stay a zombie, which the system removes.
  func ends(_ name: String) -> Bool {
    let process = process(in: name)
    for _ in 0..<100 {
      let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
      if kill(process, 0) != 0 || status.contains("State:\tZ") { return true }
      usleep(10_000)
    }
    return false
  }

  /// Returns the number that the script wrote; no process has the number 0x3FFFFFFF.
  private func process(in name: String) -> Int32 {
    Int32(text(name).trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0x3FFF_FFFF
  }
}

/// Returns the error that a call throws.
func keyError(_ body: () throws -> Void) -> KeyError? {
  do {
    try body()
    return nil
  } catch {
    return error as? KeyError
  }
}
