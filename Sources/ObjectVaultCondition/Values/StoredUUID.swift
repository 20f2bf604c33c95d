/// The stored form of UUIDs: 36 characters with upper-case letters.
package enum StoredUUID {
  /// Returns the stored form of a UUID in any case, or `nil` for other text.
  package static func canonical(_ text: String) -> String? {
    var bytes = Array(text.utf8)
    guard bytes.count == 36 else { return nil }
    for (position, byte) in bytes.enumerated() {
      switch (position, byte) {
      case (8, UInt8(ascii: "-")), (13, UInt8(ascii: "-")), (18, UInt8(ascii: "-")),
        (23, UInt8(ascii: "-")):
        continue
      case (8, _), (13, _), (18, _), (23, _): return nil
      case (_, UInt8(ascii: "0")...UInt8(ascii: "9")), (_, UInt8(ascii: "A")...UInt8(ascii: "F")):
        continue
      case (_, UInt8(ascii: "a")...UInt8(ascii: "f")): bytes[position] = byte & 0xDF
      default: return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
