/// Decimal numbers as text, in the stored form, and their order.
///
/// A stored decimal has plain digits: no exponent, no `+`, no redundant leading or trailing zeros,
/// and `0` instead of `-0`.
package enum DecimalText {
  /// The largest absolute value of an exponent.
  ///
  /// It is far beyond the range of `Decimal`, and small enough that the digits always fit into
  /// memory.
  private static let maximumExponent = 1000

  /// Returns the stored form of a number in decimal or scientific notation, or `nil` for other
  /// text.
  package static func canonical(_ text: String) -> String? {
    var bytes = Array(text.utf8)[...]
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    var digits = Array(bytes.prefix(while: isDigit))
    bytes = bytes.dropFirst(digits.count)
    var pointPosition = digits.count
    if bytes.first == UInt8(ascii: ".") {
      let fraction = bytes.dropFirst().prefix(while: isDigit)
      guard !fraction.isEmpty else { return nil }
      digits += fraction
      bytes = bytes.dropFirst(1 + fraction.count)
    }
    guard pointPosition > 0 else { return nil }
    if bytes.first == UInt8(ascii: "e") || bytes.first == UInt8(ascii: "E") {
      guard let exponent = Int(String(decoding: bytes.dropFirst(), as: UTF8.self)),
        exponent.magnitude <= maximumExponent
      else { return nil }
      pointPosition += exponent
    } else if !bytes.isEmpty {
      return nil
    }
    return plain(digits, pointPosition: pointPosition, isNegative: isNegative)
  }

  /// Returns whether a text has the stored form, apart from zeros at the end of its fraction.
  package static func isPlain(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: ".")) else { return canonical(text) == text }
    var digits = text[...]
    while digits.last == "0" { digits.removeLast() }
    if digits.last == "." { digits.removeLast() }
    return canonical(text).map { $0 == digits } == true
  }

  private static func plain(_ digits: [UInt8], pointPosition: Int, isNegative: Bool) -> String {
    let zero = UInt8(ascii: "0")
    var digits = digits
    var pointPosition = pointPosition
    if pointPosition <= 0 {
      digits.insert(contentsOf: repeatElement(zero, count: 1 - pointPosition), at: 0)
      pointPosition = 1
    }
    if pointPosition > digits.count {
      digits += repeatElement(zero, count: pointPosition - digits.count)
    }
    var whole = digits[..<pointPosition].drop { $0 == zero }
    if whole.isEmpty { whole = [zero] }
    var fraction = digits[pointPosition...]
    while fraction.last == zero { fraction.removeLast() }
    let isZero = fraction.isEmpty && whole.elementsEqual([zero])
    var result: [UInt8] = isNegative && !isZero ? [UInt8(ascii: "-")] : []
    result += whole
    if !fraction.isEmpty {
      result.append(UInt8(ascii: "."))
      result += fraction
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns a negative number, 0 or a positive number if `a` is less than, equal to or greater
  /// than `b`.
  ///
  /// Decimals are compared as numbers. Text that is not a decimal comes after every decimal,
  /// ordered by its bytes.
  package static func compare(_ a: String, _ b: String) -> Int {
    var a = a
    var b = b
    return a.withUTF8 { a in
      b.withUTF8 { b in compare(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b)) }
    }
  }

  /// Returns the same order as ``compare(_:_:)-(String,String)`` for UTF-8 bytes.
  package static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    switch (Parts(a), Parts(b)) {
    case (let a?, let b?): return Parts.compare(a, b)
    case (_?, nil): return -1
    case (nil, _?): return 1
    case (nil, nil): return ByteOrder.compare(a, b)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  /// The significant digits of a decimal.
  struct Parts {
    var isNegative: Bool
    var whole: Slice<UnsafeRawBufferPointer>
    var fraction: Slice<UnsafeRawBufferPointer>

    init?(_ text: UnsafeRawBufferPointer) {
      var rest = text[...]
      isNegative = rest.first == UInt8(ascii: "-")
      if isNegative { rest.removeFirst() }
      whole = rest.prefix(while: isDigit)
      guard !whole.isEmpty else { return nil }
      rest = rest.dropFirst(whole.count)
      fraction = rest.prefix(0)
      if rest.first == UInt8(ascii: ".") {
        fraction = rest.dropFirst().prefix(while: isDigit)
        guard !fraction.isEmpty else { return nil }
        rest = rest.dropFirst(1 + fraction.count)
      }
      guard rest.isEmpty else { return nil }
      whole = whole.drop { $0 == UInt8(ascii: "0") }
      while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
      if whole.isEmpty, fraction.isEmpty { isNegative = false }
    }

    static func compare(_ a: Parts, _ b: Parts) -> Int {
      if a.isNegative != b.isNegative { return a.isNegative ? -1 : 1 }
      let magnitude =
        if a.whole.count != b.whole.count {
          a.whole.count < b.whole.count ? -1 : 1
        } else if case let whole = order(a.whole, b.whole), whole != 0 {
          whole
        } else {
          // Digits after the point are compared from the left: "5" comes after "45".
          order(a.fraction, b.fraction)
        }
      return a.isNegative ? -magnitude : magnitude
    }

    private static func order(
      _ a: Slice<UnsafeRawBufferPointer>, _ b: Slice<UnsafeRawBufferPointer>
    ) -> Int {
      ByteOrder.compare(UnsafeRawBufferPointer(rebasing: a), UnsafeRawBufferPointer(rebasing: b))
    }
  }
}
