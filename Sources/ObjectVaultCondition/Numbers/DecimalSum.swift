/// The exact sum of decimals of any length.
struct DecimalSum {
  /// The digits of a non-negative number.
  private struct Magnitude {
    /// The digits, the least significant first.
    var digits: [UInt8] = []
    /// The number of digits after the decimal point.
    var scale = 0

    mutating func add(_ parts: DecimalText.Parts) {
      if parts.fraction.count > scale {
        digits.insert(
          contentsOf: repeatElement(0, count: parts.fraction.count - scale), at: 0)
        scale = parts.fraction.count
      }
      var position = scale - parts.fraction.count
      var carry: UInt8 = 0
      func digit(_ byte: UInt8) -> UInt8 { byte - UInt8(ascii: "0") }
      func add(_ digit: UInt8) {
        if position == digits.count { digits.append(0) }
        let sum = digits[position] + digit + carry
        digits[position] = sum % 10
        carry = sum / 10
        position += 1
      }
      for byte in parts.fraction.reversed() { add(digit(byte)) }
      for byte in parts.whole.reversed() { add(digit(byte)) }
      while carry > 0 { add(0) }
    }

    mutating func widen(to scale: Int, count: Int) {
      digits.insert(contentsOf: repeatElement(0, count: scale - self.scale), at: 0)
      self.scale = scale
      digits += repeatElement(0, count: Swift.max(0, count - digits.count))
    }
  }

  private var positive = Magnitude()
  private var negative = Magnitude()

  mutating func add(_ parts: DecimalText.Parts) {
    if parts.isNegative { negative.add(parts) } else { positive.add(parts) }
  }

  /// The sum in the stored form of decimals.
  var text: String {
    var (a, b) = (positive, negative)
    let scale = max(a.scale, b.scale)
    let count = max(a.digits.count + scale - a.scale, b.digits.count + scale - b.scale)
    a.widen(to: scale, count: count)
    b.widen(to: scale, count: count)
    let isNegative = a.digits.reversed().lexicographicallyPrecedes(b.digits.reversed())
    if isNegative { swap(&a, &b) }
    var borrow: UInt8 = 0
    for position in a.digits.indices {
      let taken = b.digits[position] + borrow
      borrow = a.digits[position] < taken ? 1 : 0
      a.digits[position] = a.digits[position] + 10 * borrow - taken
    }
    var text = isNegative ? "-" : ""
    let digits = a.digits.reversed().map { Character(Unicode.Scalar($0 + UInt8(ascii: "0"))) }
    text += String(digits.dropLast(scale))
    if text.isEmpty || text == "-" { text += "0" }
    if scale > 0 { text += "." + String(digits.suffix(scale)) }
    return DecimalText.canonical(text) ?? "0"
  }
}
