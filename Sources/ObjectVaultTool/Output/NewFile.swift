import ObjectVaultConformance

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that appears under its name when it is complete, and until then is a hidden one beside
/// it with mode 0600.
final class NewFile {
  let output: DescriptorOutput
  private let path: String
  private let temporaryPath: String
  private let isReplacing: Bool
  private var descriptor: Int32

  /// - Parameter replacing: Whether a file of that name is replaced.
  init(at path: String, replacing: Bool) throws {
    self.path = path
    isReplacing = replacing
    let slash = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    let unique = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    temporaryPath = path[..<slash] + "." + path[slash...] + ".objectvault-" + unique
    // Before it is there: a signal may come as soon as it is.
    UnfinishedFile.watch(temporaryPath)
    descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
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
    close(descriptor)
    unlink(temporaryPath)
    UnfinishedFile.forget()
  }

  /// Puts the complete file in its place.
  func commit() throws {
    try output.flush()
    let name = PrintableText.escaped(path)
    guard fsync(descriptor) == 0 else {
      throw ToolError(.inputOutput, "Writing to '\(name)' failed: \(systemErrorText(errno)).")
    }
    // A link never replaces; some file systems have none.
    let isDone =
      isReplacing
      ? rename(temporaryPath, path) == 0
      : link(temporaryPath, path) == 0
        || errno != EEXIST && !ExistingFile.isTaken(path) && rename(temporaryPath, path) == 0
    guard isDone else {
      throw ToolError(.cannotCreate, "'\(name)' cannot be created: \(systemErrorText(errno)).")
    }
    close(descriptor)
    descriptor = -1
    // The second name, where there was a link.
    unlink(temporaryPath)
    UnfinishedFile.forget()
  }
}
