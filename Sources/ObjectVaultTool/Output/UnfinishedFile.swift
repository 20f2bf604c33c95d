import ObjectVaultPlatform

/// The removal of an incomplete file if a signal ends the process.
///
/// The file contains objects in plaintext.
enum UnfinishedFile {
  // Changed by the only thread of the tool, and read by a handler, which at worst runs too early.
  nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?

  /// Makes SIGINT, SIGTERM and SIGHUP remove the file from now on.
  static func watch(_ newPath: String) {
    path = strdup(newPath)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let previous = signal(number) { number in
        if let path = UnfinishedFile.path { unlink(path) }
        signal(number, SIG_DFL)
        raise(number)
      }
      // 1 is SIG_IGN: a signal that was ignored, as with nohup, stays ignored.
      if unsafeBitCast(previous, to: Int.self) == 1 { signal(number, SIG_IGN) }
    }
  }

  /// Stops watching, because the file is complete or removed.
  static func forget() {
    let old = path
    path = nil
    free(old)
  }
}
