import ObjectVaultPlatform

/// The state of a vault's file and its log, which differs after each commit of any process.
///
/// It is derived from their sizes and times, so that it needs no query.
struct FileStamp: CustomStringConvertible {
  let description: String

  init(ofVaultAt path: String) {
    description = [path, path + "-wal"].map(Self.stamp).joined(separator: " ")
  }

  private static func stamp(of path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return "-" }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return "\(status.st_ino).\(status.st_size).\(time.tv_sec).\(time.tv_nsec)"
  }
}
