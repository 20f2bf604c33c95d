/// The escapes of JSON strings (RFC 8259, section 7).
package enum JSONEscapes {
  package struct Failure: Error {
    package let message: String
    /// The offset in bytes from the first byte after the opening quote.
    package let offset: Int

    package init(message: String, offset: Int) {
      (self.message, self.offset) = (message, offset)
    }
  }

  /// Returns the unescaped bytes of a string's content between the quotes.
  package static func resolve(_ content: UnsafeRawBufferPointer) throws(Failure) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(content.count)
    var index = 0
    while index < content.count {
      let byte = content[index]
      guard byte == UInt8(ascii: "\\") else {
        output.append(byte)
        index += 1
        continue
      }
      let start = index
      // The parser ensures that a backslash is never last.
      let letter = content[index + 1]
      index += 2
      switch letter {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(letter)
      case UInt8(ascii: "b"): output.append(0x08)
      case UInt8(ascii: "t"): output.append(0x09)
      case UInt8(ascii: "n"): output.append(0x0A)
      case UInt8(ascii: "f"): output.append(0x0C)
      case UInt8(ascii: "r"): output.append(0x0D)
      case UInt8(ascii: "u"):
        let scalar = try scalar(in: content, at: &index, escapeAt: start)
        output.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
      default:
        throw Failure(
          message: "expected one of \" \\ / b f n r t u after the backslash", offset: start)
      }
    }
    return output
  }

  private static func scalar(
    in content: UnsafeRawBufferPointer, at index: inout Int, escapeAt start: Int
  ) throws(Failure) -> Unicode.Scalar {
    let first = try unit(in: content, at: &index)
    if let scalar = Unicode.Scalar(first) { return scalar }
    // A scalar above U+FFFF consists of two surrogates, each with its own escape.
    if (0xD800..<0xDC00).contains(first), index + 1 < content.count,
      content[index] == UInt8(ascii: "\\"), content[index + 1] == UInt8(ascii: "u")
    {
      index += 2
      let second = try unit(in: content, at: &index)
      if (0xDC00..<0xE000).contains(second),
        let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
      {
        return scalar
      }
    }
    throw Failure(message: "a single surrogate is not a character", offset: start)
  }

  private static func unit(
    in content: UnsafeRawBufferPointer, at index: inout Int
  ) throws(Failure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard index < content.count,
        let digit = Character(Unicode.Scalar(content[index])).hexDigitValue,
        content[index] < 0x80
      else { throw Failure(message: "expected four hexadecimal digits after \\u", offset: index) }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}
