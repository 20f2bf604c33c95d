#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Takes a file that is being written away when a signal ends the process: it holds objects in
/// clear.
enum UnfinishedFile {
  // Changed by the one thread of the tool, and read by a handler, which can only be too early.
  nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?

  /// From now on SIGINT, SIGTERM and SIGHUP remove the file.
  static func watch(_ newPath: String) {
    path = strdup(newPath)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let previous = signal(number) { number in
        if let path = UnfinishedFile.path { unlink(path) }
        signal(number, SIG_DFL)
        raise(number)
      }
      // 1 is SIG_IGN: what was ignored, as under nohup, stays so.
      if unsafeBitCast(previous, to: Int.self) == 1 { signal(number, SIG_IGN) }
    }
  }

  /// The file is complete, or gone.
  static func forget() {
    let old = path
    path = nil
    free(old)
  }
}
