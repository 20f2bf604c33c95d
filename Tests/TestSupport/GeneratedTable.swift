package import ObjectVaultCondition
import ObjectVaultCore

/// A class with a required and an optional property of every family, and rows of awkward values.
package struct GeneratedTable: ConditionSchema {
  package let className = "Sample"
  package let properties: [PropertyShape]
  package var propertyNames: [String] { properties.map(\.name) }

  package init() {
    let types: [PropertyType] = [
      .bool, .int, .double, .float, .string, .date, .uuid, .url, .decimal, .data, .json,
    ]
    var properties: [PropertyShape] = []
    for type in types {
      for isOptional in [false, true] {
        let name = type.rawValue.lowercased() + (isOptional ? " or \"nil\"" : "")
        properties.append(
          PropertyShape(name, at: properties.count, type: type, isOptional: isOptional))
      }
    }
    self.properties = properties
  }

  package func property(named name: String) -> PropertyShape? {
    properties.first { $0.name == name }
  }

  /// The values that conditions can test.
  package var subjects: [ConditionSubject] {
    properties.map {
      ConditionSubject(
        path: PropertyPath([$0.name]), way: .own, type: $0.type, isOptional: $0.isOptional)
    }
  }

  package var columns: [String] { properties.map { SQLIdentifier($0.name).description } }

  // MARK: Values

  package static let texts = [
    "", "a", "A", "b", "Bob", "bob", "BOB", "Li", "li", "a\u{0}b", "a\u{0}", "é", "e\u{301}", "É",
    "ß", "ẞ", "SS", "ı", "İ", "I", "i", "Σ", "ς", "σ", "😀", "👩‍👩‍👧", "a%b", "a_b", "a\\b", "%", "_",
    "\\",
    "it's", "say \"x\"", "\u{10FFFF}", "\u{D7FF}", "\u{E000}", "a\u{10FFFF}", "学伟", "大学伟", "NULL",
    "50",
    "\n", "K", "K", "Å", "A\u{30A}", "abcabcabd", "ab",
  ]
  package static let integers: [Int64] = [
    0, 1, -1, 2, 18, 50, 1 << 53, 1 << 53 - 1, 1 << 53 + 1, -(1 << 53) - 1, .max, .min, .max - 1,
    .min + 1, 1 << 62,
  ]
  package static let reals: [Double] = [
    0, 1, -1, 0.1, 0.5, -0.5, 18, 18.5, 50, 0x1p53, 0x1p53 - 1, 0x1p53 + 2, 0x1p63, -0x1p63, 1e300,
    -1e300, .leastNonzeroMagnitude, .infinity, -.infinity,
  ]
  package static let decimals = [
    "0", "1", "-1", "0.1", "0.10000000000000000001", "-0.5", "9", "10", "18.5", "50",
    "9007199254740993", "99999999999999999999999999999999999999", "-10", "-9", "2", "1.5", "1.25",
  ]
  package static let dates: [Double] = [
    0, 0.000001, -1, 1_700_000_000.123456, 50, 253_402_300_799, 18.5,
  ]
  package static let uuids = [
    "00000000-0000-0000-0000-000000000000", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
    "6BA7B811-9DAD-11D1-80B4-00C04FD430C8", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
  ]
  package static let urls = [
    "https://a.example/", "https://A.example/", "file:///tmp/é", "x:", "https://b/%20",
  ]
  package static let blobs: [[UInt8]] = [[], [0], [0, 1], [255], Array("a".utf8)]
  package static let composites = ["[]", "[\"a\",\"b\"]", "{\"a\":1}", "null", "\"x\"", "[1,2]"]

  package static func value(_ type: PropertyType, _ random: inout SeededGenerator) -> StoredValue {
    switch type.family {
    case .boolean: .integer(random.pick([0, 1]))
    case .integer: .integer(random.pick(integers))
    case .real:
      .real(type == .float ? Double(Float(random.pick(reals))) + 0 : random.pick(reals) + 0)
    case .text: .text(random.pick(texts))
    case .data: .blob(random.pick(blobs))
    case .date: .real(random.pick(dates))
    case .uuid: .text(random.pick(uuids))
    case .url: .text(random.pick(urls))
    case .decimal: .text(random.pick(decimals))
    case .composite: .text(random.pick(composites))
    }
  }

  package func rows(_ count: Int, _ random: inout SeededGenerator) -> [[StoredValue]] {
    (0..<count).map { _ in
      properties.map { property in
        property.isOptional && random.oneIn(4) ? .null : Self.value(property.type, &random)
      }
    }
  }
}
