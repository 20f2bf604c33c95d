/// A line that the program of a key provider sent after the first.
struct PluginLine: ~Copyable {
  /// The first word.
  let keyword: String
  /// The kind of an `error`; `nil` in other lines.
  let kind: String?
  /// The decoded bytes of the last word.
  let value: Secret

  /// Reads a line.
  ///
  /// - Throws: `providerFailed` if the line has no such form.
  init(_ line: borrowing Secret, from exchange: borrowing PluginExchange) throws(KeyError) {
    let words = line.withUnsafeBytes { bytes in
      bytes.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false).map(\.indices)
    }
    keyword = PluginLine.word(words[0], of: line)
    let hasKind = keyword == "error"
    kind = hasKind && words.count > 1 ? PluginLine.word(words[1], of: line) : nil
    let position = hasKind ? 2 : 1
    guard words.count <= position + 1 else {
      throw exchange.failure("sent a line with too many words.")
    }
    guard words.count > position else {
      value = Secret(count: 0)
      return
    }
    let text = line.withUnsafeBytes { Secret(copying: $0[words[position]]) }
    guard let bytes = text.decodedBase64() else {
      throw exchange.failure("sent a value that is not in base64.")
    }
    value = bytes
  }

  /// Returns the value as a text without control characters.
  borrowing func text(maximum: Int) -> String {
    value.withUnsafeBytes { PluginText.sanitised($0, maximum: maximum) }
  }

  private static func word(_ range: Range<Int>, of line: borrowing Secret) -> String {
    line.withUnsafeBytes { String(decoding: $0[range].prefix(20), as: UTF8.self) }
  }
}
