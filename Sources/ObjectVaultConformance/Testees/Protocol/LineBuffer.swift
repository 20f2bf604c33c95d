/// Bytes as they come, cut into lines.
struct LineBuffer {
  private var bytes: [UInt8] = []
  /// How many of the bytes are known to hold no end of a line.
  private var searched = 0

  /// How long a line may be: more than any fixture needs, less than a machine has memory.
  static let lengthLimit = 256 << 20

  /// Whether there is nothing in it.
  var isEmpty: Bool { bytes.isEmpty }

  /// Whether a line has begun that is longer than any may be.
  var isTooLong: Bool { bytes.count > Self.lengthLimit }

  mutating func append(_ more: some Sequence<UInt8>) {
    bytes.append(contentsOf: more)
  }

  /// The next whole line, without its end.
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

  /// What stands after the last end of a line.
  mutating func takeRest() -> [UInt8] {
    defer { self = LineBuffer() }
    return bytes
  }
}
