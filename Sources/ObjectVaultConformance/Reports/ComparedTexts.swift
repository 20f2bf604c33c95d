import ObjectVaultTerminal

/// An expected and an actual text, prepared to be printed one above the other.
///
/// Both are escaped and cut to a width around the first difference.
struct ComparedTexts {
  let expected: String
  let actual: String
  /// The column of the first difference; `nil` if no difference is visible.
  let column: Int?

  /// Creates the pair.
  ///
  /// - Parameters:
  ///   - expected: The expected text.
  ///   - actual: The actual text.
  ///   - width: The maximum width of each text, in columns.
  init(expected: String, actual: String, width: Int) {
    var one = PrintableText.escaped(expected)
    var other = PrintableText.escaped(actual)
    // The texts look the same but differ in their bytes, such as é as one scalar and as two.
    if one == other, !expected.utf8.elementsEqual(actual.utf8) {
      one = Self.inASCII(one)
      other = Self.inASCII(other)
    }
    let a = Array(one)
    let b = Array(other)
    let same = zip(a, b).prefix { $0 == $1 }.count
    let differs = same < a.count || same < b.count
    let start = Self.start(longest: max(a.count, b.count), difference: same, width: width)
    self.expected = Self.cut(a, from: start, width: width)
    self.actual = Self.cut(b, from: start, width: width)
    let before = (start > 0 ? 1 : 0) + DisplayWidth.of(String(a[start..<max(start, same)]))
    column = differs && before < width ? before : nil
  }

  /// Returns the start of the visible part, so that it includes the difference and the text after
  /// it.
  private static func start(longest: Int, difference: Int, width: Int) -> Int {
    guard longest > width, difference > width / 2 else { return 0 }
    return difference - width / 3
  }

  private static func cut(_ text: [Character], from start: Int, width: Int) -> String {
    let rest = start < text.count ? String(text[start...]) : ""
    return start > 0
      ? "…" + DisplayWidth.cut(rest, to: width - 1) : DisplayWidth.cut(rest, to: width)
  }

  private static func inASCII(_ text: String) -> String {
    text.unicodeScalars.map {
      $0.isASCII ? String($0) : "\\u{\(String($0.value, radix: 16, uppercase: true))}"
    }.joined()
  }
}
