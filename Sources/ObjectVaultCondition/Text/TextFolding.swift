/// The folding of texts before a comparison with `[c]` or `[d]`.
package struct TextFolding: Sendable {
  private let decompose: @Sendable (String) -> String

  /// Creates a folding.
  ///
  /// - Parameter decompose: A closure that returns the canonical decomposition (NFD) of a text,
  ///   which the standard library does not offer.
  package init(decompose: @escaping @Sendable (String) -> String) { self.decompose = decompose }

  /// Returns the text without the differences that `options` ignore.
  ///
  /// With `[d]` the text is decomposed and has no marks (general categories Mn, Mc, Me). With `[c]`
  /// it is in simple case folding.
  package func fold(_ text: String, _ options: TextOptions) -> String {
    if options.isEmpty || text.isEmpty { return text }
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return options.contains(.caseBlind) ? text.lowercased() : text
    }
    var folded = String.UnicodeScalarView()
    let stripsMarks = options.contains(.diacriticBlind)
    let scalars = stripsMarks ? decompose(text).unicodeScalars : text.unicodeScalars
    for scalar in scalars {
      if stripsMarks, scalar.isFoldedMark { continue }
      folded.append(options.contains(.caseBlind) ? SimpleCaseFolding.fold(scalar) : scalar)
    }
    return String(folded)
  }
}

extension Unicode.Scalar {
  /// Whether folding with `[d]` removes the scalar.
  package var isFoldedMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: value >= 0x300
    default: false
    }
  }
}
