/// The division of texts into grams: the three characters from every position of a text.
///
/// The engine's tokenizer splits a gram at separators, so the term at a position is the rest of the
/// word there, up to three characters. At a word boundary the last terms of a word are shorter, and
/// the first ones of the next word follow. Any number of separators results in the same terms.
package enum SearchGrams {
  /// The number of characters in a gram.
  package static let length = 3
  /// The combining marks that are removed before a text is divided.
  package static let marks: ClosedRange<Unicode.Scalar> = "\u{300}"..."\u{36F}"

  /// Returns the grams of a search term, separated by spaces.
  ///
  /// They are consecutive terms of exactly the texts that contain the term. A text shorter than a
  /// gram is the beginning of a term.
  ///
  /// - Parameter text: A text that begins and ends with a letter or digit, without ``marks``.
  /// - Returns: The grams, and whether the only one is a prefix.
  package static func phrase(of text: String) -> (text: String, isPrefix: Bool) {
    let scalars = Array(text.unicodeScalars)
    guard scalars.count >= length else { return (text, true) }
    var phrase = String.UnicodeScalarView()
    for start in 0...(scalars.count - length) {
      if start > 0 { phrase.append(" ") }
      phrase.append(contentsOf: scalars[start..<start + length])
    }
    return (String(phrase), false)
  }

  /// Returns whether a text can have the grams of a term without containing it.
  ///
  /// A word of one character is several equal terms, so several equal words of one character can
  /// have the terms of fewer of them.
  package static func isAmbiguous(_ text: String) -> Bool {
    let words = FoldedText(text).scalars.split(separator: " ")
    return words.count > 1 && words.allSatisfy { $0.count == 1 }
  }
}
