import Foundation
import ObjectVaultCondition

/// A text as a search compares it: words without case and diacritics, with one space between them.
package struct FoldedText {
  /// The folded characters.
  package private(set) var scalars: [Unicode.Scalar] = []
  /// The position of each character in the text.
  private var places: [String.Index] = []
  /// The end of each character in the text, including its combining marks.
  private var ends: [String.Index] = []

  package init(_ text: String) {
    let source = text.unicodeScalars
    for place in source.indices {
      let scalar = source[place]
      let end = source.index(after: place)
      if SearchGrams.marks.contains(scalar) {
        if !ends.isEmpty { ends[ends.count - 1] = end }
      } else if SearchTerm.isOfWord(scalar) {
        append(Self.fold(scalar), place, end)
      } else if scalars.last != " " {
        append(" ", place, end)
      }
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ place: String.Index, _ end: String.Index)
  {
    scalars.append(scalar)
    places.append(place)
    ends.append(end)
  }

  /// Returns the parts of the text that are equal to another text, from its start to its end.
  ///
  /// Parts do not overlap.
  package func ranges(of part: FoldedText) -> [Range<String.Index>] {
    let part = part.scalars
    guard let first = part.first else { return [] }
    var found: [Range<String.Index>] = []
    var start = 0
    while start + part.count <= scalars.count {
      if scalars[start] == first, scalars[start..<start + part.count].elementsEqual(part) {
        found.append(places[start]..<ends[start + part.count - 1])
        start += part.count
      } else {
        start += 1
      }
    }
    return found
  }

  /// Returns a character as the engine's tokenizer `unicode61` folds it.
  private static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0xC0...0x24F, 0x1E00...0x1EFF: latin[scalar] ?? SimpleCaseFolding.fold(scalar)
    default: SimpleCaseFolding.fold(scalar)
    }
  }

  /// The letters A to Z with one diacritic, without it.
  ///
  /// The tokenizer retains letters with two.
  private static let latin: [Unicode.Scalar: Unicode.Scalar] = {
    var letters: [Unicode.Scalar: Unicode.Scalar] = [:]
    for value in [0xC0...0x24F, 0x1E00...0x1EFF].joined() {
      guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
      let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
      if parts.count == 2, let base = parts.first, base.isASCII {
        letters[scalar] = SimpleCaseFolding.fold(base)
      }
    }
    return letters
  }()
}
