/// The names of tables that are the plural of their class's name. They name what is in files, so the rule
/// never changes.
package enum PluralName {
  /// The table of a class: its name without `Model` at the end, its words in lower case and joined by
  /// `_`, the last one in the plural, as English makes it without exceptions. Where it ends in no English
  /// letter, `_list` follows instead.
  ///
  /// Only English letters have a case here: what others have is not the same for every version of
  /// Unicode.
  package static func table(ofClass name: String) -> String {
    let suffix = "Model"
    let isModel = name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count
    let words = snakeCase(isModel ? String(name.dropLast(suffix.count)) : name)
    guard let last = words.unicodeScalars.last, isLower(last) else { return words + "_list" }
    return plural(words)
  }

  /// `UserName` becomes `user_name`, `HTTPServer` `http_server`, `page2Text` `page2_text`.
  private static func snakeCase(_ name: String) -> String {
    let scalars = Array(name.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      guard isUpper(scalar) else {
        result.append(scalar)
        continue
      }
      if index > 0, scalars[index - 1] != "_" {
        let isFirstOfWord = index + 1 < scalars.count && isLower(scalars[index + 1])
        if !isUpper(scalars[index - 1]) || isFirstOfWord { result.append("_") }
      }
      // The same letter 32 places on.
      result.append(Unicode.Scalar(UInt8(scalar.value) + 32))
    }
    return String(result)
  }

  private static func plural(_ word: String) -> String {
    if ["s", "x", "z", "ch", "sh"].contains(where: word.hasSuffix) { return word + "es" }
    let letters = word.unicodeScalars.suffix(2)
    if letters.last == "y", letters.count == 2, let before = letters.first,
      isLower(before), !"aeiou".unicodeScalars.contains(before)
    {
      return String(word.dropLast()) + "ies"
    }
    return word + "s"
  }

  private static func isUpper(_ scalar: Unicode.Scalar) -> Bool { ("A"..."Z").contains(scalar) }
  private static func isLower(_ scalar: Unicode.Scalar) -> Bool { ("a"..."z").contains(scalar) }
}
