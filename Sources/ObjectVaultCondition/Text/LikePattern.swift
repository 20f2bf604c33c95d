/// A prepared `LIKE` pattern.
///
/// `%` matches any sequence of scalars and `_` matches one scalar. A backslash makes the next
/// scalar literal. ASCII letters match in either case. Text and pattern are complete UTF-8 texts,
/// in which NUL is an ordinary character. A match takes at most (length of text) x (length of
/// pattern) steps.
package struct LikePattern: Sendable {
  /// The part between two `%`: bytes, or `nil` for any one scalar.
  private typealias Segment = [UInt8?]

  private var segments: [Segment]

  /// Creates a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The text of the pattern.
  ///   - fold: The folding of every literal part of the pattern. Texts must be folded in the same
  ///     way.
  package init(_ pattern: String, folding fold: (String) -> String = { $0 }) {
    segments = [[]]
    var run = String.UnicodeScalarView()
    var isEscaped = false
    func end(_ run: inout String.UnicodeScalarView, into segments: inout [Segment]) {
      if run.isEmpty { return }
      segments[segments.count - 1] += fold(String(run)).utf8.map { LikePattern.lowered($0) }
      run = String.UnicodeScalarView()
    }
    for scalar in pattern.unicodeScalars {
      if isEscaped {
        isEscaped = false
        run.append(scalar)
        continue
      }
      switch scalar {
      case "\\": isEscaped = true
      case "%":
        end(&run, into: &segments)
        segments.append([])
      case "_":
        end(&run, into: &segments)
        segments[segments.count - 1].append(nil)
      default: run.append(scalar)
      }
    }
    // A backslash at the end is literal.
    if isEscaped { run.append("\\") }
    end(&run, into: &segments)
  }

  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }

  /// Returns whether a complete UTF-8 text matches.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let first = segments.first, var position = match(first, in: text, at: 0) else {
      return false
    }
    if segments.count == 1 { return position == text.count }
    for segment in segments[1..<(segments.count - 1)] where !segment.isEmpty {
      guard let end = find(segment, in: text, from: position) else { return false }
      position = end
    }
    return endsWith(segments[segments.count - 1], text, from: position)
  }

  /// Returns the end of the segment if it matches at `start`.
  private func match(_ segment: Segment, in text: UnsafeRawBufferPointer, at start: Int) -> Int? {
    var position = start
    for element in segment {
      guard position < text.count else { return nil }
      if let byte = element {
        guard LikePattern.lowered(text[position]) == byte else { return nil }
        position += 1
      } else {
        position = LikePattern.next(after: position, in: text)
      }
    }
    return position
  }

  private func find(_ segment: Segment, in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var position = start
    while true {
      if let end = match(segment, in: text, at: position) { return end }
      guard position < text.count else { return nil }
      position = LikePattern.next(after: position, in: text)
    }
  }

  private func endsWith(
    _ segment: Segment, _ text: UnsafeRawBufferPointer, from floor: Int
  ) -> Bool {
    var position = text.count
    for element in segment.reversed() {
      guard position > floor else { return false }
      position -= 1
      if let byte = element {
        guard LikePattern.lowered(text[position]) == byte else { return false }
      } else {
        while position > floor, LikePattern.isContinuation(text[position]) { position -= 1 }
      }
    }
    return true
  }

  private static func next(after position: Int, in text: UnsafeRawBufferPointer) -> Int {
    var next = position + 1
    while next < text.count, isContinuation(text[next]) { next += 1 }
    return next
  }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }
}
