/// The sizes of a file before and after it was compacted.
public struct CompactionResult: Sendable, Hashable {
  /// The size of the contents before, in bytes, including those in a log next to the file.
  public let bytesBefore: Int
  /// The size of the file afterwards, in bytes.
  public let bytesAfter: Int

  /// The number of bytes by which the file became smaller; 0 if it did not.
  public var bytesFreed: Int { max(0, bytesBefore - bytesAfter) }
}
