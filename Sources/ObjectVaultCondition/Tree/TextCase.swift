/// A conversion of a text to lower or upper case.
///
/// It is the full mapping of Unicode for each scalar alone, in any locale. The result can be longer
/// than the text: `ß` becomes `SS`.
package enum TextCase: String, Sendable, Hashable, CaseIterable {
  case lower = "lowercase"
  case upper = "uppercase"

  /// Returns the text in the case.
  package func applied(to text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return self == .lower ? text.lowercased() : text.uppercased()
    }
    var result = ""
    for scalar in text.unicodeScalars {
      result +=
        self == .lower ? scalar.properties.lowercaseMapping : scalar.properties.uppercaseMapping
    }
    return result
  }
}
