import Foundation
import ObjectVaultEngine

extension ConnectionOptions {
  /// Returns options for reading a file that any program may have made, also to do harm.
  ///
  /// A value cannot be larger than the file that holds it. Text may take up to twice its room in
  /// another encoding.
  ///
  /// - Parameters:
  ///   - path: The file; the log next to it holds values too.
  ///   - size: Its size in bytes.
  static func forForeignContent(_ path: String, size: Int) -> ConnectionOptions {
    var options = ConnectionOptions()
    options.isGuarded = true
    options.isDefensive = true
    var log = stat()
    let logSize = stat(path + "-wal", &log) == 0 ? Int(log.st_size) : 0
    options.valueSizeLimit = max(1_000_000, 2 * (size + logSize))
    return options
  }

  /// Returns options for a new file that gets its definitions from another one.
  ///
  /// A definition may compute values, by defaults and indexed expressions: the new file may not grow
  /// far beyond the old one.
  static func forCopy(ofSize size: Int) -> ConnectionOptions {
    var options = ConnectionOptions()
    // The copy is brought to the disk as a whole, before it takes a place.
    options.synchronous = .off
    options.isGuarded = true
    options.valueSizeLimit = max(1_000_000, 2 * size)
    options.fileSizeLimit = max(64 << 20, 8 * size)
    return options
  }
}
