import ObjectVaultConformance

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What work that ended in the middle left in a vault's folder.
struct UnfinishedWork {
  let path: String
  let size: Int64
  private let what: String
  /// What the process at work on it holds locked.
  private let lock: Lock

  private enum Lock {
    case itself
    case folder
  }

  /// All that is there.
  static func all(besideVault vault: String) -> [UnfinishedWork] {
    names(of: vault).enumerated().compactMap { index, path in
      guard let file = ExistingFile(path), file.isRegular else { return nil }
      return UnfinishedWork(
        path: path, size: file.size, what: index == 0 ? "a copy of the vault" : "a keyring",
        lock: index == 0 ? .itself : .folder)
    }
  }

  /// The paths that such files have: a copy in work, and a keyring that is being written.
  static func names(of vault: String) -> [String] {
    let slash = vault.lastIndex(of: "/").map(vault.index(after:)) ?? vault.startIndex
    return [
      vault[..<slash] + "." + vault[slash...] + ".copying", "\(vault).keyring.new",
      "\(vault).keyring~.new",
    ]
  }

  /// What is said of it.
  var check: Check {
    let name = PrintableText.escaped(path)
    guard whileNobodyHoldsIt({}) else {
      return Check(subject: name, result: "\(size) bytes, \(what), which a process is at work on")
    }
    return Check(
      subject: name, result: "\(size) bytes, \(what) that was never finished",
      remedy: "Nothing needs it: 'doctor --clean' removes it.")
  }

  /// Removes it, with what the engine left beside it, unless a process is at work on it.
  ///
  /// - Returns: Whether it is gone.
  func remove() -> Bool {
    var isGone = false
    let isFree = whileNobodyHoldsIt {
      for suffix in ["-journal", "-wal", "-shm"] { unlink(path + suffix) }
      isGone = unlink(path) == 0
    }
    return isFree && isGone
  }

  /// - Returns: Whether nobody held it, so that `body` was called.
  private func whileNobodyHoldsIt(_ body: () -> Void) -> Bool {
    let descriptor =
      switch lock {
      case .itself: open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
      case .folder: open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
      }
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
    defer { flock(descriptor, LOCK_UN) }
    body()
    return true
  }

  private var folder: String {
    let slash = path.lastIndex(of: "/")
    return slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }
}
