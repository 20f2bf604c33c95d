import ObjectVaultTerminal

import ObjectVaultPlatform

/// A file that only its owner can read, and that gets its name when it is complete.
///
/// Until then it has no name if the system supports that (`O_TMPFILE`), so that nothing remains if
/// the process ends. Otherwise it is `.NAME.exporting` in the same folder, locked while it is
/// written. The next file of that name and 'doctor --clean' remove it if it is not locked.
final class NewFile {
  let output: DescriptorOutput
  private let path: String
  /// The name of the file before its final one.
  ///
  /// A file without a name has it only for a moment.
  private let temporaryPath: String
  private let isReplacing: Bool
  private var isNamed: Bool
  private var descriptor: Int32

  /// Creates a file.
  ///
  /// `replacing` specifies whether an existing file of that name is replaced.
  convenience init(at path: String, replacing: Bool) throws {
    try self.init(at: path, replacing: replacing, named: false)
  }

  /// Creates a file.
  ///
  /// `isNamed` specifies whether the file gets a temporary name from the start, as on systems
  /// without unnamed files.
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
        "'\(name)' cannot be created: \(systemErrorText(errno)). Check the folder and its "
          + "permissions.")
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

  /// Moves the complete file to its final path.
  func commit() throws {
    try output.flush()
    let name = PrintableText.escaped(path)
    guard fsync(descriptor) == 0 else {
      throw ToolError(.inputOutput, "Writing to '\(name)' failed: \(systemErrorText(errno)).")
    }
    guard isReplacing ? replace() : place() else {
      throw ToolError(.cannotCreate, "'\(name)' cannot be created: \(systemErrorText(errno)).")
    }
    // The second name, if a link was made.
    if isNamed { unlink(temporaryPath) }
    close(descriptor)
    descriptor = -1
    UnfinishedFile.forget()
  }

  /// Gives the file its final name if the name is free.
  ///
  /// Returns whether that succeeded.
  private func place() -> Bool {
    if !isNamed { return link(to: path) }
    // A link never replaces a file. Some file systems do not support links.
    return linkat(AT_FDCWD, temporaryPath, AT_FDCWD, path, 0) == 0
      || errno != EEXIST && !ExistingFile.isTaken(path) && rename(temporaryPath, path) == 0
  }

  /// Gives the file its final name in place of an existing file.
  ///
  /// Returns whether that succeeded.
  private func replace() -> Bool {
    if !isNamed {
      UnfinishedFile.watch(temporaryPath)
      guard link(to: temporaryPath) else { return false }
      isNamed = true
    }
    return rename(temporaryPath, path) == 0
  }

  /// Links a file without a name to a name.
  ///
  /// Returns whether that succeeded.
  private func link(to name: String) -> Bool {
    linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
  }

  /// Opens a file without a name.
  ///
  /// Returns its descriptor, or -1 if the system or the file system does not support such files or
  /// cannot name them later.
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
    // Watch the path first, because a signal can arrive as soon as the file exists.
    UnfinishedFile.watch(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 { flock(descriptor, LOCK_EX | LOCK_NB) }
    return descriptor
  }

  /// Removes the file that a killed process left while it wrote a file of this name.
  private static func removeAbandoned(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
  }
}
