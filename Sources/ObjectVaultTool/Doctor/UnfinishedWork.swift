import Foundation
import ObjectVaultTerminal
import ObjectVaultCore

import ObjectVaultPlatform

/// A file that an interrupted process left in a vault's folder.
///
/// Reading the start of an unfinished copy drops no lock of the engine, because no connection is
/// open in this process.
struct UnfinishedWork {
  let path: String
  let size: Int64
  private let what: String
  /// The object that an active process locks.
  private let lock: Lock

  private enum Lock {
    case itself
    case folder
    /// The lock of a copy on which a migration is rehearsed.
    case rehearsal
  }

  /// Returns all unfinished files in the folder of a vault.
  ///
  /// These are unfinished copies and exports of any file, since a plaintext copy can have any name,
  /// unfinished keyrings of the vault, and copies on which its migrations are rehearsed.
  static func all(besideVault vault: String) -> [UnfinishedWork] {
    let folder = folder(of: vault)
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let rehearsals = RehearsalCopies(ofVaultAt: vault)
    let copies = entries.sorted().filter { Self.isCopy($0) && !rehearsals.owns(fileNamed: $0) }
    let keyrings = keyringNames(of: vault).filter { ExistingFile($0)?.isRegular == true }
    return
      copies.compactMap { name in
        let path = folder == "." && !vault.hasPrefix("./") ? name : "\(folder)/\(name)"
        guard let file = ExistingFile(path), file.isRegular else { return nil }
        let what =
          name.hasSuffix(".exporting") ? "an export in plaintext" : copy(at: path, of: vault)
        return UnfinishedWork(path: path, size: file.size, what: what, lock: .itself)
      }
      + keyrings.map {
        UnfinishedWork(
          path: $0, size: ExistingFile($0)?.size ?? 0, what: "a keyring", lock: .folder)
      }
      + rehearsals.paths.map {
        let file = ExistingFile($0) ?? ExistingFile(CopyInWork.path(for: $0))
        return UnfinishedWork(
          path: $0, size: file?.size ?? 0, what: "a copy of the vault", lock: .rehearsal)
      }
  }

  /// Returns whether a name is that of an unfinished copy (`.NAME.copying`) or export
  /// (`.NAME.exporting`).
  static func isCopy(_ name: String) -> Bool {
    name.hasPrefix(".")
      && [".copying", ".exporting"].contains { suffix in
        name.hasSuffix(suffix) && name.count > suffix.count + 1
      }
  }

  /// Returns whether a name is that of a log or journal of an unfinished copy, which `remove()`
  /// removes with the copy.
  static func isCompanion(_ name: String, of entries: [String]) -> Bool {
    CompanionFile.engineSuffixes.contains { suffix in
      let copy = String(name.dropLast(suffix.count))
      return name.hasSuffix(suffix) && isCopy(copy) && entries.contains(copy)
    }
  }

  /// Returns the description of an unfinished copy.
  ///
  /// A copy that 'decrypt' makes is unencrypted, and so is the original that 'encrypt' replaced.
  private static func copy(at path: String, of vault: String) -> String {
    if CopyInWork.isUnencrypted(path) { return "a copy in plaintext" }
    let name = vault.split(separator: "/").last ?? ""
    return path.hasSuffix(".\(name).copying") ? "a copy of the vault" : "a copy of another file"
  }

  /// Returns the paths of a keyring that is being written.
  private static func keyringNames(of vault: String) -> [String] {
    ["\(vault).keyring.new", "\(vault).keyring~.new"]
  }

  /// The check that reports the file.
  var check: Check {
    let name = PrintableText.escaped(path)
    if lock == .itself, isUnreadable {
      return Check(
        subject: name, result: "\(size) bytes, an unfinished copy that this user may not read",
        remedy: "If no process of its owner is working on it, run: rm '\(name)'")
    }
    guard lock == .rehearsal ? !RehearsalCopies.isInUse(path) : whileNobodyHoldsIt({}) else {
      return Check(subject: name, result: "\(size) bytes, \(what) that a process is writing")
    }
    return Check(
      subject: name, result: "\(size) bytes, \(what) that was never completed",
      remedy: "It is not needed. Remove it with 'doctor --clean'.")
  }

  /// Whether this user may not read the file, so that its lock cannot be examined.
  private var isUnreadable: Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor < 0 else {
      close(descriptor)
      return false
    }
    return errno == EACCES
  }

  /// Removes the file and its companions, unless a process is working on it.
  ///
  /// An unencrypted database is overwritten first. If that fails, it is not removed.
  ///
  /// Returns whether the file was removed.
  func remove() -> Bool {
    if lock == .rehearsal { return RehearsalCopies.removeIfAbandoned(path) }
    var isGone = false
    let isFree = whileNobodyHoldsIt {
      LogsAside.remove(ofReplacedFileAt: path)
      guard (try? CopyInWork.eraseUnencrypted(path)) != nil else { return }
      for suffix in CompanionFile.engineSuffixes { unlink(path + suffix) }
      isGone = unlink(path) == 0
    }
    return isFree && isGone
  }

  /// Runs `body` if no process holds the lock.
  ///
  /// Returns whether it ran.
  private func whileNobodyHoldsIt(_ body: () -> Void) -> Bool {
    let descriptor =
      lock == .folder
      ? open(Self.folder(of: path), O_RDONLY | O_CLOEXEC | O_DIRECTORY)
      : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
    defer { flock(descriptor, LOCK_UN) }
    body()
    return true
  }

  private static func folder(of path: String) -> String {
    let slash = path.lastIndex(of: "/")
    return slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }
}
