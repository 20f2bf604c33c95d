/// A prepared `LIKE` pattern.
///
/// `%` matches any sequence of scalars and `_` matches one scalar. A backslash makes the next
/// scalar literal. ASCII letters match in either case. Text and pattern are complete UTF-8 texts,
/// in which NUL is an ordinary character. The time is linear in the length of the text, unless `_`
/// is between literal parts of the pattern.
package struct LikePattern: Sendable {
  /// The part between two `%`: bytes, or `nil` for any one scalar.
  private typealias Segment = [UInt8?]

  private var segments: [Segment]
  /// The searches for the segments without `_`; `nil` for the others.
  private let searches: [ByteSearch?]
  private let maximumSteps: Int

  /// Creates a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The text of the pattern.
  ///   - fold: The folding of every literal part of the pattern. Texts must be folded in the same
  ///     way.
  ///   - maximumSteps: The maximum number of steps of one match; by default some seconds' worth.
  package init(
    _ pattern: String, folding fold: (String) -> String = { $0 }, maximumSteps: Int = 1_000_000_000
  ) {
    var segments: [Segment] = [[]]
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
    self.segments = segments
    searches = segments.map { $0.contains(nil) ? nil : ByteSearch($0.compactMap { $0 }) }
    self.maximumSteps = maximumSteps
  }

  package func matches(_ text: String) throws(ConditionError) -> Bool {
    var text = text
    return try text.withUTF8 { utf8 in
      Result { () throws(ConditionError) in try matches(UnsafeRawBufferPointer(utf8)) }
    }.get()
  }

  /// Returns whether a complete UTF-8 text matches.
  ///
  /// - Parameter text: The text.
  /// - Returns: `true` if the text matches; otherwise, `false`.
  /// - Throws: ``ConditionError`` with code `.pattern` if the match needs too many steps.
  package func matches(_ text: UnsafeRawBufferPointer) throws(ConditionError) -> Bool {
    var steps = 0
    guard let first = segments.first, var position = match(first, in: text, at: 0, &steps) else {
      return false
    }
    if segments.count == 1 { return position == text.count }
    for number in 1..<(segments.count - 1) {
      let found =
        if let search = searches[number] {
          search.end(in: text, from: position, folding: LikePattern.lowered)
        } else {
          try find(segments[number], in: text, from: position, &steps)
        }
      guard let found else { return false }
      position = found
    }
    return endsWith(segments[segments.count - 1], text, from: position)
  }

  /// Returns the end of the segment if it matches at `start`.
  private func match(
    _ segment: Segment, in text: UnsafeRawBufferPointer, at start: Int, _ steps: inout Int
  ) -> Int? {
    var position = start
    for element in segment {
      steps += 1
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

  /// Returns the end of the first place at which a segment with `_` matches.
  private func find(
    _ segment: Segment, in text: UnsafeRawBufferPointer, from start: Int, _ steps: inout Int
  ) throws(ConditionError) -> Int? {
    var position = start
    while true {
      if let end = match(segment, in: text, at: position, &steps) { return end }
      guard position < text.count else { return nil }
      guard steps < maximumSteps else {
        throw ConditionError(
          .pattern,
          "The pattern of LIKE needs too many steps on a long text. Use a shorter pattern, or one "
            + "without '_'.")
      }
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
