/// A prepared text search that can be applied to many texts.
package struct TextMatcher: Sendable {
  private enum Search: Sendable {
    case like(LikePattern)
    case contains(ByteSearch)
    case beginsWith([UInt8])
    case endsWith([UInt8])
    case matches(MatchPattern)
  }

  private let search: Search
  private let options: TextOptions
  private let folding: TextFolding

  /// Creates a prepared search.
  ///
  /// - Parameters:
  ///   - op: The operator.
  ///   - pattern: The pattern as written, without folding.
  ///   - options: The differences to ignore.
  ///   - folding: The folding of texts for the options.
  /// - Throws: ``ConditionError`` with code `.pattern`, for `MATCHES` only.
  package init(
    _ op: TextOperator, _ pattern: String, options: TextOptions, folding: TextFolding
  ) throws(ConditionError) {
    self.options = options
    self.folding = folding
    switch op {
    case .like: search = .like(LikePattern(pattern) { folding.fold($0, options) })
    case .contains: search = .contains(ByteSearch(Array(folding.fold(pattern, options).utf8)))
    case .beginsWith: search = .beginsWith(Array(folding.fold(pattern, options).utf8))
    case .endsWith: search = .endsWith(Array(folding.fold(pattern, options).utf8))
    case .matches:
      search = .matches(
        try MatchPattern(pattern, caseInsensitive: options.contains(.caseBlind)))
    }
  }

  /// Returns whether a text matches.
  ///
  /// - Parameter text: The text to search.
  /// - Returns: `true` if the text matches; otherwise, `false`.
  /// - Throws: ``ConditionError`` with code `.pattern` if a pattern of `LIKE` or `MATCHES` needs too
  ///   many steps.
  package func matches(_ text: String) throws(ConditionError) -> Bool {
    // The expression ignores case itself: folding it would change classes such as \\W.
    if case .matches(let pattern) = search { return try pattern.matches(text) }
    var text = folding.fold(text, options)
    return try text.withUTF8 { utf8 in
      Result { () throws(ConditionError) in try matchesFolded(UnsafeRawBufferPointer(utf8)) }
    }.get()
  }

  /// Returns the same result as ``matches(_:)-(String)`` for UTF-8 bytes.
  package func matches(_ utf8: UnsafeRawBufferPointer) throws(ConditionError) -> Bool {
    if options.isEmpty, utf8IsEnough { return try matchesFolded(utf8) }
    return try matches(String(decoding: utf8, as: UTF8.self))
  }

  private var utf8IsEnough: Bool {
    if case .matches = search { false } else { true }
  }

  private func matchesFolded(_ text: UnsafeRawBufferPointer) throws(ConditionError) -> Bool {
    switch search {
    case .like(let pattern): try pattern.matches(text)
    case .contains(let search): search.end(in: text, from: 0, folding: { $0 }) != nil
    case .beginsWith(let start): text.starts(with: start)
    case .endsWith(let end): text.count >= end.count && text.suffix(end.count).elementsEqual(end)
    case .matches: false
    }
  }
}
