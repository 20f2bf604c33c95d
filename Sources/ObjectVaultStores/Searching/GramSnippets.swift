import Foundation
import ObjectVaultDriver
import ObjectVaultModel

/// The snippets of the matches of a search in an index of grams.
///
/// The engine's own snippets would contain the grams.
struct GramSnippets {
  /// The characters that count as one word of ``SnippetForm/words``.
  private static let charactersPerWord = 6
  /// The greatest number of characters by which an end of a snippet moves to the next space.
  private static let longestMove = 12

  private let form: SnippetForm
  private let terms: [FoldedText]
  /// The positions of the searched columns in a row.
  private let columns: [Int]

  init(_ form: SnippetForm, _ search: WordSearch, in description: ClassDescription) {
    self.form = form
    terms = search.expression.terms.map { FoldedText($0.trimmedText) }
    let searched = search.column.map { [$0] } ?? description.searchedColumns
    columns = searched.compactMap { description.rowColumns.firstIndex(of: $0) }
  }

  /// Returns a part of the text that contains most of the terms, with markers around them.
  func snippet(of row: Row) -> String {
    var best: (text: String, ranges: [Range<String.Index>], terms: Int)?
    for column in columns {
      guard let text = row.text(at: column) else { continue }
      let folded = FoldedText(text)
      let found = terms.map(folded.ranges(of:)).filter { !$0.isEmpty }
      if best.map({ found.count > $0.terms }) ?? true {
        best = (text, Self.merged(found.joined()), found.count)
      }
    }
    return best.map { snippet(of: $0.text, $0.ranges) } ?? ""
  }

  private static func merged(_ ranges: some Sequence<Range<String.Index>>) -> [Range<String.Index>]
  {
    var merged: [Range<String.Index>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound < last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  private func snippet(of text: String, _ ranges: [Range<String.Index>]) -> String {
    let part = part(of: text, with: ranges)
    var snippet = part.lowerBound > text.startIndex ? form.ellipsis : ""
    var place = part.lowerBound
    for range in ranges where range.overlaps(part) {
      let range = range.clamped(to: part)
      snippet += text[place..<range.lowerBound] + form.start + text[range] + form.end
      place = range.upperBound
    }
    snippet += text[place..<part.upperBound]
    return snippet + (part.upperBound < text.endIndex ? form.ellipsis : "")
  }

  /// Returns the part with most of the ranges; it begins and ends between whole characters.
  private func part(of text: String, with ranges: [Range<String.Index>]) -> Range<String.Index> {
    let length = form.words * Self.charactersPerWord
    let scalars = text.unicodeScalars
    func end(from start: String.Index) -> String.Index {
      scalars.index(start, offsetBy: length, limitedBy: scalars.endIndex) ?? scalars.endIndex
    }
    var (first, most, covered) = (text.startIndex, 0, text.startIndex)
    for (position, range) in ranges.enumerated() {
      let end = end(from: range.lowerBound)
      let inside = ranges[position...].prefix { $0.upperBound <= end }
      if inside.count > most {
        (first, most, covered) = (range.lowerBound, inside.count, inside.last?.upperBound ?? first)
      }
    }
    let spare = max(0, length - scalars.distance(from: first, to: covered))
    var start =
      scalars.index(first, offsetBy: -(spare / 2), limitedBy: scalars.startIndex)
      ?? scalars.startIndex
    var stop = end(from: start)
    if stop == scalars.endIndex {
      // The rest of the length at the end is added at the start.
      start =
        scalars.index(stop, offsetBy: -length, limitedBy: scalars.startIndex)
        ?? scalars.startIndex
    }
    if start > text.startIndex {
      start = text.rangeOfComposedCharacterSequence(at: start).lowerBound
      let limit = text.index(start, offsetBy: Self.longestMove, limitedBy: first) ?? first
      if let space = text[start..<limit].firstIndex(where: \.isWhitespace) {
        start = text.index(after: space)
      }
    }
    if stop < text.endIndex {
      stop = text.rangeOfComposedCharacterSequence(at: stop).lowerBound
      // The last match can end inside a character.
      if covered < stop {
        let limit = text.index(stop, offsetBy: -Self.longestMove, limitedBy: covered) ?? covered
        if let space = text[limit..<stop].lastIndex(where: \.isWhitespace) { stop = space }
      }
    }
    return start..<max(start, stop, covered)
  }
}
