import ObjectVaultCore

extension ObjectColumn {
  /// The name and the type for a page.
  var header: JSONValue {
    .object([
      .init("name", .string(name)), .init("type", .string(type?.rawValue ?? "")),
      .init("generated", .bool(isGenerated)),
    ])
  }

  /// Returns a value for a page: null for nil, otherwise text.
  ///
  /// Numbers are text, too, because JavaScript rounds large ones. A long value is an object with
  /// its first bytes (`text`) and its length (`bytes`); bytes have the form `data` with `text` in
  /// hexadecimal.
  func json(_ value: StoredValue, limit: Int) -> JSONValue {
    switch value {
    case .null: return .null
    case .blob(let bytes):
      let digits = bytes.prefix(min(limit / 20, 64)).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      return .object([
        .init("text", .string(digits.joined(separator: " "))),
        .init("bytes", .integer(bytes.count)), .init("data", .bool(true)),
      ])
    case .text(let text) where text.utf8.count > limit:
      return .object([
        .init("text", .string(Self.prefix(of: text, limit))),
        .init("bytes", .integer(text.utf8.count)),
      ])
    default: return .string(ExchangedValue.plain(value, type(of: value)) ?? "")
    }
  }

  /// Returns whether the page shows a value completely, so that it can be changed there.
  func isEditable(_ value: StoredValue) -> Bool {
    switch value {
    case .blob: false
    case .text(let text): text.utf8.count <= VaultInspection.valueLimit
    default: type?.family != .data
    }
  }

  /// Returns the first characters of a text, in at most `limit` bytes.
  private static func prefix(of text: String, _ limit: Int) -> String {
    var scalars = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      count += UTF8.width(scalar)
      if count > limit { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}
