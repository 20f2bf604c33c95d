/// The JSON form of strings and numbers, here and in every canonical composite.
package enum JSONText {
  /// Appends a string in quotes.
  ///
  /// Only `"`, `\` and U+0000 to U+001F are escaped: as `\b`, `\t`, `\n`, `\f` and `\r`, and the
  /// others as `\u` with four lower-case digits (the format of RFC 8785, section 3.2.2.2).
  package static func append(_ text: String, to output: inout [UInt8]) {
    var text = text
    text.withUTF8 { append(utf8: UnsafeRawBufferPointer($0), to: &output) }
  }

  /// Appends a string in quotes, as ``append(_:to:)`` does, from valid UTF-8.
  package static func append(utf8: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
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

  /// Returns a string in quotes.
  package static func quoted(_ text: String) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count + 2)
    append(text, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the shortest round-trip form of a number, or `nil` for NaN and infinities.
  ///
  /// The form has a point or an exponent, and -0.0 is 0.0. JSON has no NaN and no infinities.
  package static func number<T: BinaryFloatingPoint & CustomStringConvertible>(
    _ value: T
  ) -> String? {
    value.isFinite ? (value + 0).description : nil
  }
}
