import Foundation
package import ObjectVaultEngine

extension ConnectionOptions {
  /// The greatest size of which a multiple is computed. Files of some systems can be larger.
  private static let greatestSize = Int.max / 16

  /// Returns options for reading a file that any program may have made, possibly with harmful
  /// intent.
  ///
  /// A value cannot be larger than the file that holds it. Text may need twice its size in another
  /// encoding.
  ///
  /// - Parameters:
  ///   - path: The file. The log next to it may hold values too.
  ///   - size: The size of the file in bytes.
  /// - Returns: The options.
  package static func forForeignContent(_ path: String, size: Int) -> ConnectionOptions {
    var options = ConnectionOptions()
    options.isGuarded = true
    options.isDefensive = true
    var log = stat()
    let logSize = stat(path + "-wal", &log) == 0 ? Int(log.st_size) : 0
    let sizes = min(size, greatestSize) + min(logSize, greatestSize)
    options.valueSizeLimit = max(1_000_000, 2 * sizes)
    return options
  }

  /// Returns options for a new file that gets its definitions from another file.
  ///
  /// Definitions may compute values, by defaults and indexed expressions. The options limit the new
  /// file's growth beyond the old one's size.
  package static func forCopy(ofSize size: Int) -> ConnectionOptions {
    let size = min(size, greatestSize)
    var options = ConnectionOptions()
    // The whole copy is synchronized with the disk before it is moved to its place.
    options.synchronous = .off
    options.isGuarded = true
    options.valueSizeLimit = max(1_000_000, 2 * size)
    options.fileSizeLimit = max(64 << 20, 8 * size)
    return options
  }
}
