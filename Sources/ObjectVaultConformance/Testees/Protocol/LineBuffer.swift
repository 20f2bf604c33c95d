/// A buffer that splits received bytes into lines.
struct LineBuffer {
  private var bytes: [UInt8] = []
  /// The number of leading bytes that contain no line break.
  private var searched = 0

  /// The maximum length of a line: 256 MiB.
  ///
  /// It exceeds the needs of any fixture and fits in memory.
  static let lengthLimit = 256 << 20

  /// Whether the buffer is empty.
  var isEmpty: Bool { bytes.isEmpty }

  /// Whether an incomplete line exceeds the limit.
  var isTooLong: Bool { bytes.count > Self.lengthLimit }

  mutating func append(_ more: some Sequence<UInt8>) {
    bytes.append(contentsOf: more)
  }

  /// Returns the next complete line without its line break, or `nil`.
  mutating func nextLine() -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      return nil
    }
    let line = Array(bytes[..<end])
    bytes.removeSubrange(...end)
    searched = 0
    return line
  }

  /// Returns the bytes after the last line break.
  mutating func takeRest() -> [UInt8] {
    defer { self = LineBuffer() }
    return bytes
  }
}
