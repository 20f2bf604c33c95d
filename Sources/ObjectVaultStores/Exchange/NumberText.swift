/// A text with the number syntax of JSON.
///
/// A `+` and leading zeros are rejected, so that postal codes and similar texts are not numbers.
package struct NumberText {
  /// Whether the number has neither a fraction nor an exponent.
  package let isInteger: Bool

  package init?(_ text: String) {
    var bytes = text.utf8[...]
    if bytes.first == UInt8(ascii: "-") { bytes.removeFirst() }
    guard let first = bytes.first, Self.isDigit(first) else { return nil }
    let whole = bytes.prefix(while: Self.isDigit)
    if first == UInt8(ascii: "0"), whole.count > 1 { return nil }
    bytes = bytes[whole.endIndex...]
    isInteger = bytes.isEmpty
    if bytes.first == UInt8(ascii: ".") {
      bytes.removeFirst()
      let fraction = bytes.prefix(while: Self.isDigit)
      if fraction.isEmpty { return nil }
      bytes = bytes[fraction.endIndex...]
    }
    if let letter = bytes.first, letter | 0x20 == UInt8(ascii: "e") {
      bytes.removeFirst()
      if let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        bytes.removeFirst()
      }
      let exponent = bytes.prefix(while: Self.isDigit)
      if exponent.isEmpty { return nil }
      bytes = bytes[exponent.endIndex...]
    }
    if !bytes.isEmpty { return nil }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
