import ObjectVaultTerminal
import ObjectVaultCore
import Synchronization

/// Warnings on standard error, which do not stop the work.
enum Warning {
  /// Whether each warning is a line of JSON, `{"warning":"..."}`, as `--progress json` requests.
  static let areJSON = Mutex(false)

  static func write(_ text: String) {
    let isJSON = areJSON.withLock { $0 }
    StandardError.write(
      isJSON
        ? "{\"warning\":\(ProgressLine.quoted(text))}\n"
        : "Warning: \(PrintableText.escapedLines(text))\n")
  }

  /// Warns about an obvious weakness of a new key.
  static func write(ofNewKey weakness: String?, for subject: String) {
    guard let weakness else { return }
    write(
      "the new key for \(subject) is weak: \(weakness). The vault is only as safe as its key. Use "
        + "five words drawn at random from a list, or 32 random bytes.")
  }

  /// Warns if a file that is only read may lack changes: those under another name, and those in a
  /// log that an interrupted restore moved away.
  static func writeMissingChanges(ofFileAt path: String) {
    let path = ExistingFile.resolved(path)
    let name = PrintableText.escaped(path)
    let names = HeldFile.nameCount(path)
    if names > 1 {
      write(
        "'\(name)' has \(names) names (hard links), and each has its own log. Changes under "
          + "another name may be missing. Copy the file, or remove the other names.")
    }
    if !LogsAside.waiting(besideFile: path).isEmpty {
      write(
        "the latest changes of '\(name)' are missing, because an interrupted restore moved its log "
          + "away. Open the vault for writing to move it back, for example with 'import'.")
    }
  }

  /// Warns if other users can read or change a vault.
  static func writeRights(ofVaultAt path: String) {
    guard let file = ExistingFile(path), file.isRegular, file.mode & 0o077 != 0 else { return }
    let name = PrintableText.escaped(path)
    write(
      "'\(name)' has mode 0\(String(file.mode & 0o777, radix: 8)), so others may read or change "
        + "it. Run: chmod 600 '\(name)'")
  }
}
