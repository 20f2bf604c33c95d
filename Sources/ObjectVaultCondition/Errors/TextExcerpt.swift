/// An excerpt that shows a position in a text: its line, and a caret below.
enum TextExcerpt {
  /// The number of scalars of a long line shown before and after the position.
  private static let reach = 40

  static func pointing(at offset: Int, in text: String) -> String {
    let scalars = text.unicodeScalars
    let utf8 = text.utf8
    // An offset inside a scalar is rounded down to its start by the scalar view.
    let target = utf8.index(
      utf8.startIndex, offsetBy: max(0, offset), limitedBy: utf8.endIndex)
    let place = target.map { scalars[$0...].startIndex } ?? scalars.endIndex
    var start = place
    var before = 0
    while start > scalars.startIndex, before < reach {
      let previous = scalars.index(before: start)
      if isLineEnd(scalars[previous]) { break }
      start = previous
      before += 1
    }
    var end = place
    var after = 0
    while end < scalars.endIndex, after < reach, !isLineEnd(scalars[end]) {
      end = scalars.index(after: end)
      after += 1
    }
    let cutBefore = start > scalars.startIndex && !isLineEnd(scalars[scalars.index(before: start)])
    let cutAfter = end < scalars.endIndex && !isLineEnd(scalars[end])
    var line = cutBefore ? "…" : ""
    for scalar in scalars[start..<end] { line.unicodeScalars.append(visible(scalar)) }
    if cutAfter { line += "…" }
    return line + "\n" + String(repeating: " ", count: before + (cutBefore ? 1 : 0)) + "^"
  }

  private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r"
  }

  private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: " "
    default: scalar
    }
  }
}
