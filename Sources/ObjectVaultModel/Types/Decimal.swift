public import Foundation
public import ObjectVaultCondition
public import ObjectVaultDriver

extension Decimal: StorableValue, ObjectIDValue {
  /// The property type `Decimal`.
  public static var propertyType: PropertyType { .decimal }

  /// Returns a decimal from plain digits.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the column contains anything else, or
  ///   more digits than a `Decimal` can represent.
  public static func read(from row: Row, at position: Int) throws -> Decimal {
    let text = try String.read(from: row, at: position)
    guard let value = Decimal(plainDigits: text) else {
      throw VaultError.unreadable(
        "text that is not plain digits within 128 bits", at: position, reading: Decimal.self)
    }
    return value
  }

  /// Binds plain digits, without an exponent and trailing zeros.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` for NaN.
  public func bind(to binder: Binder, at position: Int) throws {
    if isNaN { throw VaultError.notANumber(Decimal.self) }
    binder.bind(text: plainDigits, at: position)
  }

  /// The number in plain digits, as text.
  ///
  /// - Throws: The errors of ``bind(to:at:)``.
  public var storedValue: StoredValue {
    get throws {
      if isNaN { throw VaultError.notANumber(Decimal.self) }
      return .text(plainDigits)
    }
  }
}

// `description` differs between versions of Foundation in its trailing zeros, and the parser of
// Foundation ignores invalid trailing text. The stored text must be stable and exact.
extension Decimal {
  /// The number in plain digits: an optional minus sign, digits, and a point with digits for a
  /// fraction.
  package var plainDigits: String {
    // `description` is a number in every version, so the fallback is never used.
    PlainDigits(parsing: description)?.text ?? description
  }

  /// Creates a decimal from ``plainDigits``, with optional redundant zeros at both ends.
  ///
  /// The result is `nil` for other text, for an exponent, and for more digits than a `Decimal` can
  /// represent.
  package init?(plainDigits text: String) {
    guard let digits = PlainDigits(parsing: text), !digits.hadExponent else { return nil }
    let normal = digits.text
    guard let value = Decimal(string: normal, locale: nil), value.plainDigits == normal else {
      return nil
    }
    self = value
  }
}

/// A decimal number as its significant digits and the power of ten of the last one.
private struct PlainDigits {
  private var isNegative: Bool
  private var digits: ArraySlice<UInt8>
  private var exponent: Int
  let hadExponent: Bool

  init?(parsing text: String) {
    var bytes = Array(text.utf8)[...]
    isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { bytes = bytes.dropFirst() }
    exponent = 0
    let mark = bytes.firstIndex { $0 == UInt8(ascii: "E") || $0 == UInt8(ascii: "e") }
    hadExponent = mark != nil
    if let mark {
      guard let power = Int(String(decoding: bytes[(mark + 1)...], as: UTF8.self)),
        power.magnitude < 1000
      else { return nil }
      exponent = power
      bytes = bytes[..<mark]
    }
    if let point = bytes.firstIndex(of: UInt8(ascii: ".")) {
      let fraction = bytes.endIndex - point - 1
      guard point > bytes.startIndex, fraction > 0 else { return nil }
      exponent -= fraction
      bytes.remove(at: point)
    }
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    while bytes.last == 0x30 {
      bytes.removeLast()
      exponent += 1
    }
    digits = bytes.drop { $0 == 0x30 }
  }

  var text: String {
    if digits.isEmpty { return "0" }
    var text = isNegative ? "-" : ""
    let whole = digits.count + exponent
    if exponent >= 0 {
      text += String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: exponent)
    } else if whole <= 0 {
      text += "0." + String(repeating: "0", count: -whole)
      text += String(decoding: digits, as: UTF8.self)
    } else {
      text += String(decoding: digits.prefix(whole), as: UTF8.self) + "."
      text += String(decoding: digits.dropFirst(whole), as: UTF8.self)
    }
    return text
  }
}
