import Foundation

/// Values in fixture notation, for people who read a difference.
extension FixtureValue {
  /// The value in fixture notation.
  package var notation: String { notation(escaping: false) }

  /// Returns the value in fixture notation.
  ///
  /// With `escaping`, every character beyond ASCII is written as its number, which distinguishes
  /// texts that look the same.
  package func notation(escaping: Bool) -> String {
    func tagged(_ tag: String, _ text: String) -> String {
      "{\(tag): \(Self.quoted(text, escaping: escaping))}"
    }
    return switch self {
    case .null: "{nil: true}"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value) where value.magnitude <= 1 << 53: "\(value)"
    case .integer(let value): tagged("int", "\(value)")
    case .double(let value): tagged("double", Self.number(value))
    case .date(let value): tagged("date", Self.number(value))
    case .text(let value): Self.quoted(value, escaping: escaping)
    case .data(let value): tagged("data", Data(value).base64EncodedString())
    case .decimal(let value): tagged("decimal", value)
    case .uuid(let value): tagged("uuid", value)
    case .url(let value): tagged("url", value)
    case .json(let value): tagged("json", value)
    case .list(let values):
      "[" + values.map { $0.notation(escaping: escaping) }.joined(separator: ", ") + "]"
    case .object(let members):
      "{"
        + members.map { member in
          let isWord = !member.name.isEmpty && member.name.utf8.allSatisfy(Self.isWordByte)
          let name = isWord ? member.name : Self.quoted(member.name, escaping: escaping)
          return "\(name): \(member.value.notation(escaping: escaping))"
        }.joined(separator: ", ") + "}"
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
    default: false
    }
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN, value.bitPattern != Double.nan.bitPattern {
      return "nan of the bits 0x\(String(value.bitPattern, radix: 16))"
    }
    return "\(value)"
  }

  private static func quoted(_ text: String, escaping: Bool) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _
      where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
        || (escaping && scalar.value > 0x7F):
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let width = digits.count <= 4 ? 4 : 8
        result += width == 4 ? "\\u" : "\\U"
        result += String(repeating: "0", count: width - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension FixtureValue? {
  /// The value in fixture notation, or `nothing`.
  package var notation: String { self?.notation ?? "nothing" }
}
