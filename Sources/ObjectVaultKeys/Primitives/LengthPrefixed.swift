/// Bytes that are put together so that no two different sequences of parts give the same bytes:
/// each text and byte string behind its length.
struct LengthPrefixed {
  private(set) var bytes: [UInt8] = []

  /// Four bytes that say what follows.
  init(_ tag: StaticString) {
    tag.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// An integer, the most significant byte first.
  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ part: some Collection<UInt8>) {
    append(UInt32(part.count))
    bytes.append(contentsOf: part)
  }

  mutating func append(_ text: String) { append(text.utf8) }
}
