/// A number of bytes, for the sizes in a configuration.
///
/// ```swift
/// configuration.writerCache = .mebibytes(128)
/// ```
public struct ByteCount: Sendable, Hashable, Comparable {
  /// The number of bytes.
  public let bytes: Int

  /// Returns a number of bytes.
  public static func bytes(_ count: Int) -> ByteCount { ByteCount(bytes: count) }

  /// Returns a number of KiB, 1,024 bytes each.
  ///
  /// - Returns: The number, or the nearest one that fits in an `Int`.
  public static func kibibytes(_ count: Int) -> ByteCount { times(count, 1 << 10) }

  /// Returns a number of MiB, 1,048,576 bytes each.
  ///
  /// - Returns: The number, or the nearest one that fits in an `Int`.
  public static func mebibytes(_ count: Int) -> ByteCount { times(count, 1 << 20) }

  private static func times(_ count: Int, _ unit: Int) -> ByteCount {
    let (bytes, overflows) = count.multipliedReportingOverflow(by: unit)
    return ByteCount(bytes: overflows ? (count < 0 ? .min : .max) : bytes)
  }

  /// Returns whether `a` is less than `b`.
  public static func < (a: ByteCount, b: ByteCount) -> Bool { a.bytes < b.bytes }
}
