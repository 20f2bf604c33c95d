/// An unambiguous concatenation: different sequences of parts never result in the same bytes.
///
/// Each text and byte string follows its length.
struct LengthPrefixed {
  private(set) var bytes: [UInt8] = []

  /// Creates the bytes, beginning with a tag of four bytes that names the content.
  init(_ tag: StaticString) {
    tag.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Appends an integer, most significant byte first.
  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ part: some Collection<UInt8>) {
    append(UInt32(part.count))
    bytes.append(contentsOf: part)
  }

  mutating func append(_ text: String) { append(text.utf8) }
}
