extension String {
  /// Returns the text in quotes, with quotes inside it doubled.
  package func quoted(by quote: Unicode.Scalar) -> String {
    var quoted = UnicodeScalarView()
    quoted.append(quote)
    // Scalar by scalar: Character treats a quote with a combining mark as another character.
    for scalar in unicodeScalars {
      if scalar == quote { quoted.append(quote) }
      quoted.append(scalar)
    }
    quoted.append(quote)
    return String(quoted)
  }
}
