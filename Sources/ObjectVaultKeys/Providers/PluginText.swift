/// The texts of key provider programs, which are untrusted.
enum PluginText {
  /// Returns a text without control characters and other characters that are invisible or move
  /// text, on one line.
  ///
  /// - Parameters:
  ///   - bytes: The text in UTF-8, possibly damaged.
  ///   - maximum: The maximum number of characters.
  /// - Returns: The text, cut at the maximum.
  static func sanitised(_ bytes: some Collection<UInt8>, maximum: Int) -> String {
    var text = ""
    var count = 0
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      guard count < maximum else { return text + "…" }
      if isVisible(scalar) {
        text.unicodeScalars.append(scalar)
      } else if text.last != " ", !text.isEmpty {
        text.append(" ")
      } else {
        continue
      }
      count += 1
    }
    while text.last == " " { text.removeLast() }
    return text
  }

  /// Whether a text has no control characters.
  static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator, .spaceSeparator:
      false
    default: true
    }
  }
}
