/// How scalars are written as JSON, here and in every canonical composite.
package enum JSONText {
  /// Appends text in quotes.
  ///
  /// Escaped are only `"`, `\` and U+0000 to U+001F: `\b`, `\t`, `\n`, `\f` and `\r` by these short
  /// forms, the others as `\u` and four lower-case digits (the form of RFC 8785, section 3.2.2.2).
  package static func append(_ text: String, to output: inout [UInt8]) {
    var text = text
    output.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices {
        let byte = utf8[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
          continue
        }
        output.append(contentsOf: utf8[start..<index])
        appendEscape(of: byte, to: &output)
        start = index + 1
      }
      output.append(contentsOf: utf8[start...])
    }
    output.append(UInt8(ascii: "\""))
  }

  private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    case 0..<0x20:
      output.append(contentsOf: (byte < 0x10 ? "u000" : "u001").utf8)
      let digit = byte & 0x0F
      output.append(digit < 10 ? 0x30 + digit : UInt8(ascii: "a") + digit - 10)
    default: output.append(byte)
    }
  }

  /// Text in quotes.
  package static func quoted(_ text: String) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count + 2)
    append(text, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// The shortest digits that read back equal, with a point or an exponent, 0.0 for -0.0; `nil` for
  /// NaN and infinities, which JSON does not have.
  package static func number<T: BinaryFloatingPoint & CustomStringConvertible>(
    _ value: T
  ) -> String? {
    value.isFinite ? (value + 0).description : nil
  }
}
