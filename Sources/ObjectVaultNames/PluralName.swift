/// The rule that derives table names from class names by their plural.
///
/// The names are stored in files, so the rule never changes.
package enum PluralName {
  /// Returns the table name of a class.
  ///
  /// A `Model` at the end of the class name is removed. The words are written in lower case and
  /// joined by `_`, and the last one is put in the plural by the regular rules of English, without
  /// exceptions. If the name does not end in an English letter, `_list` is appended instead.
  ///
  /// Only English letters are converted to lower case: the case of other letters depends on the
  /// version of Unicode.
  package static func table(ofClass name: String) -> String {
    let suffix = "Model"
    let isModel = name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count
    let words = snakeCase(isModel ? String(name.dropLast(suffix.count)) : name)
    guard let last = words.unicodeScalars.last, isLower(last) else { return words + "_list" }
    return plural(words)
  }

  /// Returns the name in snake case: `UserName` as `user_name`, `HTTPServer` as `http_server`.
  ///
  /// `page2Text` becomes `page2_text`.
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
      // The lower-case letter is 32 code points after the upper-case one.
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
