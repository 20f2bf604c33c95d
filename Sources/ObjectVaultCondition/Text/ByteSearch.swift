/// A sequence of bytes that is found in linear time (Knuth, Morris and Pratt 1977).
struct ByteSearch: Sendable {
  private let bytes: [UInt8]
  /// For each first part of the bytes, the length of its longest proper prefix that is a suffix.
  private let borders: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var borders = [Int](repeating: 0, count: bytes.count)
    var length = 0
    for position in bytes.indices.dropFirst() {
      while length > 0, bytes[position] != bytes[length] { length = borders[length - 1] }
      if bytes[position] == bytes[length] { length += 1 }
      borders[position] = length
    }
    self.borders = borders
  }

  /// Returns the end of the first occurrence in a text, or `nil` if there is none.
  ///
  /// - Parameters:
  ///   - text: The text to search.
  ///   - start: The position at which the search begins.
  ///   - fold: Returns the form of a byte of the text that is compared.
  /// - Returns: The position after the occurrence.
  @inline(__always)
  func end(
    in text: UnsafeRawBufferPointer, from start: Int, folding fold: (UInt8) -> UInt8
  ) -> Int? {
    var matched = 0
    if bytes.isEmpty { return start }
    for position in start..<text.count {
      let byte = fold(text[position])
      while matched > 0, bytes[matched] != byte { matched = borders[matched - 1] }
      guard bytes[matched] == byte else { continue }
      matched += 1
      if matched == bytes.count { return position + 1 }
    }
    return nil
  }
}
