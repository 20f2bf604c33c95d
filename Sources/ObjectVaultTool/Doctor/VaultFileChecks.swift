import Foundation
import ObjectVaultTerminal
import ObjectVaultCore

/// Checks of a vault's file and of the files next to it.
///
/// No file is opened with a key or changed.
enum VaultFileChecks {
  static func all(_ path: String) throws -> [Check] {
    let name = PrintableText.escaped(path)
    guard let file = ExistingFile(path) else {
      return keyringAlone(path) + UnfinishedWork.all(besideVault: path).map(\.check)
    }
    guard file.isRegular else {
      return [
        Check(subject: name, result: "not a regular file", remedy: "Use the path of a vault.")
      ]
    }
    let start = try Start(path)
    var checks = [
      content(name, file, start), rights(name, file),
    ]
    // The companions of a file are next to the file, not next to a link to it.
    let path = ExistingFile.resolved(path)
    checks += names(path)
    checks += leftovers(path, holder: start.holder) + logsAside(path)
    checks += UnfinishedWork.all(besideVault: path).map(\.check)
    checks += KeyringChecks.all(besideVault: path, start: start.bytes)
    return checks + copies(path)
  }

  /// Returns the check for a keyring without a vault; empty if there is no keyring.
  private static func keyringAlone(_ path: String) -> [Check] {
    let name = PrintableText.escaped(path)
    let file = KeyringFile(besideVault: path)
    guard file.exists else { return [] }
    guard (try? file.read().keyring.isNeverFinished(beside: nil)) != true else {
      return [
        Check(
          subject: "\(name).keyring",
          result: "the keyring of a file that was never completed, or was moved",
          remedy: "Run the interrupted command again, which replaces the keyring. If the file was "
            + "moved, move the keyring and its spare copy ('\(name).keyring~') next to it.")
      ]
    }
    return [
      Check(
        subject: "\(name).keyring", result: "a keyring without its vault",
        remedy:
          "Restore the vault next to it. If the vault is lost, remove the keyring and its spare "
          + "copy ('\(name).keyring~').")
    ]
  }

  /// The first bytes and the lock of a file.
  ///
  /// No connection is open in this process, so closing the descriptor loses no lock.
  private struct Start {
    var bytes: [UInt8] = []
    /// The ID of the process that has the file open.
    var holder: Int32?

    init(_ path: String) throws {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else {
        throw ToolError(
          .noInput,
          "'\(PrintableText.escaped(path))' cannot be opened: \(systemErrorText(errno)).")
      }
      defer { close(descriptor) }
      var buffer = [UInt8](repeating: 0, count: FileStart.count)
      let count = read(descriptor, &buffer, buffer.count)
      bytes = Array(buffer.prefix(max(0, count)))
      // The bytes that SQLite locks (see "The Lock-Byte Page" in its file format documentation).
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_start = 0x4000_0000
      lock.l_len = 512
      if fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) {
        holder = lock.l_pid
      }
    }
  }

  private static func content(_ name: String, _ file: ExistingFile, _ start: Start) -> Check {
    if file.size == 0 {
      return Check(
        subject: name, result: "empty", remedy: "Remove it, and create a vault with 'create'.")
    }
    let holder = start.holder.map { ", open in process \($0)" } ?? ""
    if CipherFormat.hasPlaintextHeader(start.bytes) {
      return Check(
        subject: name, result: "\(file.size) bytes, encrypted after a plaintext header" + holder)
    }
    if CipherFormat.isPlain(start.bytes) {
      return Check(
        subject: name, result: "a plaintext SQLite database: nothing in it is encrypted",
        remedy: "Check the path. To protect the content, use 'encrypt'.")
    }
    return Check(
      subject: name,
      result: "\(file.size) bytes, not in plaintext" + holder)
  }

  private static func rights(_ name: String, _ file: ExistingFile) -> Check {
    let rights = file.mode & 0o7777
    let text = "0" + String(rights, radix: 8)
    if rights & 0o077 == 0 { return Check(subject: "rights", result: text) }
    return Check(
      subject: "rights", result: "\(text): others may read or change the file",
      remedy: "Run: chmod 600 '\(name)'")
  }

  /// Returns the check for a file with several names; empty for one with one name.
  private static func names(_ path: String) -> [Check] {
    let count = HeldFile.nameCount(path)
    guard count > 1 else { return [] }
    return [
      Check(
        subject: "names", result: "\(count) hard links, each with a log of its own",
        remedy: "Programs that use different names overwrite each other's changes. Copy the file, "
          + "or remove the other names.")
    ]
  }

  private static func leftovers(_ path: String, holder: Int32?) -> [Check] {
    ["-wal", "-shm", "-journal"].compactMap { suffix in
      guard let file = ExistingFile(path + suffix) else { return nil }
      let name = PrintableText.escaped(path + suffix)
      if let holder {
        return Check(subject: name, result: "\(file.size) bytes, in use by process \(holder)")
      }
      if suffix == "-shm" || file.size == 0 {
        return Check(subject: name, result: "\(file.size) bytes, recreated at the next opening")
      }
      return Check(
        subject: name,
        result: "\(file.size) bytes, left by a program that ended without closing the vault",
        remedy: "It holds the latest changes: never remove it alone. Open the vault for writing to "
          + "apply them.")
    }
  }

  /// Returns checks for the logs of the file that an interrupted restore moved away.
  private static func logsAside(_ path: String) -> [Check] {
    LogsAside.waiting(besideFile: path).map { log in
      Check(
        subject: PrintableText.escaped(log),
        result: "\(ExistingFile(log)?.size ?? 0) bytes, the log of the vault, moved away by an "
          + "interrupted restore",
        remedy: "It holds the latest changes: never remove it. Open the vault for writing to move "
          + "it back.")
    }
  }

  /// Returns checks for the files with names that begin with the vault's name.
  private static func copies(_ path: String) -> [Check] {
    let url = URL(fileURLWithPath: path)
    let name = url.lastPathComponent
    let folder = url.deletingLastPathComponent().path
    let known =
      ["", "-wal", "-shm", "-journal", ".keyring", ".keyring~"].map { name + $0 }
      + ["\(name).keyring.new", "\(name).keyring~.new"]
      + KeyringFile(besideVault: path).retiredPaths.map {
        URL(fileURLWithPath: $0).lastPathComponent
      }
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let rehearsals = RehearsalCopies(ofVaultAt: path)
    let aside = Set(
      LogsAside.waiting(besideFile: path).map { URL(fileURLWithPath: $0).lastPathComponent })
    let unfinished = Set(
      UpgradeMark.markedCopies(ofVaultAt: path).map { URL(fileURLWithPath: $0).lastPathComponent })
    return entries.sorted().compactMap { entry in
      let visible = entry.hasPrefix(".") && !name.hasPrefix(".") ? String(entry.dropFirst()) : entry
      guard visible.hasPrefix(name), !known.contains(entry), !UnfinishedWork.isCopy(entry),
        !UnfinishedWork.isCompanion(entry, of: entries), !rehearsals.owns(fileNamed: entry),
        !aside.contains(entry), !entry.hasPrefix(".\(name).upgrading"),
        let next = visible.dropFirst(name.count).first, ".-~_ ".contains(next),
        let file = ExistingFile("\(folder)/\(entry)"), file.isRegular
      else { return nil }
      if entry.hasPrefix(".\(name).copying."),
        ["-wal", "-journal"].contains(where: { entry.hasSuffix($0) })
      {
        return Check(
          subject: PrintableText.escaped(entry),
          result: "\(file.size) bytes, the log of an earlier state of the vault",
          remedy: "An interrupted restore moved it away, and the vault was changed or replaced "
            + "since. Remove it if the vault has all changes that you expect.")
      }
      if unfinished.contains(entry) {
        return Check(
          subject: PrintableText.escaped(entry),
          result: "\(file.size) bytes, a copy for an upgrade that has not been committed",
          remedy: "If no program is upgrading the vault, remove it. The next upgrade does so, too.")
      }
      return Check(
        subject: PrintableText.escaped(entry),
        result: "\(file.size) bytes, looks like a copy of the vault",
        remedy: "A copy still opens with the key that it had. Remove it if you do not need it.")
    }
  }
}
