/// The lexicographic order of bytes: a prefix comes before a longer sequence.
package enum ByteOrder {
  /// Returns a negative number, 0 or a positive number if `a` comes before, with or after `b`.
  package static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    let common = min(a.count, b.count)
    for position in 0..<common where a[position] != b[position] {
      return a[position] < b[position] ? -1 : 1
    }
    return a.count == b.count ? 0 : a.count < b.count ? -1 : 1
  }

  /// Returns the order of two texts by their UTF-8 bytes.
  package static func compare(_ a: String, _ b: String) -> Int {
    var a = a
    var b = b
    return a.withUTF8 { a in
      b.withUTF8 { b in compare(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b)) }
    }
  }

  /// Returns the order of two byte arrays.
  package static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.withUnsafeBytes { a in b.withUnsafeBytes { b in compare(a, b) } }
  }
}
