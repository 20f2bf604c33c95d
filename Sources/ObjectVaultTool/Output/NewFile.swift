import ObjectVaultConformance

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that only its owner may read, and that appears under its name when it is complete.
///
/// Until then it has no name where the system can make such files (`O_TMPFILE`), so that nothing is left
/// of it however the process ends. Elsewhere it is `.NAME.exporting` beside its name, locked while it is
/// written: the next file of that name, and 'doctor --clean', remove one that nobody holds.
final class NewFile {
  let output: DescriptorOutput
  private let path: String
  /// The name it has, or gets for a moment, before its own.
  private let temporaryPath: String
  private let isReplacing: Bool
  private var isNamed: Bool
  private var descriptor: Int32

  /// - Parameter replacing: Whether a file of that name is replaced.
  convenience init(at path: String, replacing: Bool) throws {
    try self.init(at: path, replacing: replacing, named: false)
  }

  /// - Parameter isNamed: Whether the file gets a name at once, as where it cannot be without.
  init(at path: String, replacing: Bool, named isNamed: Bool) throws {
    self.path = path
    isReplacing = replacing
    let slash = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    temporaryPath = path[..<slash] + "." + path[slash...] + ".exporting"
    Self.removeAbandoned(temporaryPath)
    let folder = path[..<slash].isEmpty ? "." : String(path[..<slash])
    let nameless = isNamed ? -1 : Self.openWithoutName(in: folder)
    self.isNamed = nameless < 0
    descriptor = nameless < 0 ? Self.openWithName(temporaryPath) : nameless
    let name = PrintableText.escaped(path)
    guard descriptor >= 0 else {
      let error = ToolError(
        .cannotCreate,
        "'\(name)' cannot be created: \(systemErrorText(errno)). Check the folder and its rights.")
      UnfinishedFile.forget()
      throw error
    }
    output = DescriptorOutput(descriptor, name: "'\(name)'")
  }

  deinit {
    guard descriptor >= 0 else { return }
    if isNamed { unlink(temporaryPath) }
    close(descriptor)
    UnfinishedFile.forget()
  }

  /// Puts the complete file in its place.
  func commit() throws {
    try output.flush()
    let name = PrintableText.escaped(path)
    guard fsync(descriptor) == 0 else {
      throw ToolError(.inputOutput, "Writing to '\(name)' failed: \(systemErrorText(errno)).")
    }
    guard isReplacing ? replace() : place() else {
      throw ToolError(.cannotCreate, "'\(name)' cannot be created: \(systemErrorText(errno)).")
    }
    // The second name, where there was a link.
    if isNamed { unlink(temporaryPath) }
    close(descriptor)
    descriptor = -1
    UnfinishedFile.forget()
  }

  /// Gives the file its name, where nothing has it.
  private func place() -> Bool {
    if !isNamed { return link(to: path) }
    // A link never replaces; some file systems have none.
    return linkat(AT_FDCWD, temporaryPath, AT_FDCWD, path, 0) == 0
      || errno != EEXIST && !ExistingFile.isTaken(path) && rename(temporaryPath, path) == 0
  }

  /// Gives the file its name, instead of the file that has it.
  private func replace() -> Bool {
    if !isNamed {
      UnfinishedFile.watch(temporaryPath)
      guard link(to: temporaryPath) else { return false }
      isNamed = true
    }
    return rename(temporaryPath, path) == 0
  }

  /// Gives a file without a name one.
  private func link(to name: String) -> Bool {
    linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
  }

  /// - Returns: A descriptor; -1 where the system or the file system has no such files, or where they
  ///   could not be given a name.
  private static func openWithoutName(in folder: String) -> Int32 {
    #if os(Linux) || os(Android)
      guard access("/proc/self/fd", X_OK) == 0 else { return -1 }
      // __O_TMPFILE of asm-generic/fcntl.h; the macro is not imported.
      return open(folder, 0o20_000_000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0o600)
    #else
      return -1
    #endif
  }

  private static func openWithName(_ path: String) -> Int32 {
    // Before it is there: a signal may come as soon as it is.
    UnfinishedFile.watch(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 { flock(descriptor, LOCK_EX | LOCK_NB) }
    return descriptor
  }

  /// Removes what a process left that was killed while it wrote a file of this name.
  private static func removeAbandoned(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
  }
}
