/// A test of one element of a list that is stored as JSON.
///
/// An element of another kind than the value is treated like nil.
package struct ElementTest: Sendable, Hashable {
  package enum Operator: Sendable, Hashable {
    case compare(ComparisonOperator, StoredJSON.Kind)
    case text(TextOperator)
  }

  package var op: Operator
  package var options: TextOptions

  package init(_ op: Operator, _ options: TextOptions = []) {
    self.op = op
    self.options = options
  }

  /// Returns whether an element passes the test.
  ///
  /// - Parameters:
  ///   - element: The JSON of the element.
  ///   - value: The value on the right, as conditions compare it.
  ///   - folding: The folding of texts for the options.
  ///   - search: Returns whether a text matches the pattern; called for text operators only.
  /// - Returns: `true` if the element passes the test; otherwise, `false`.
  /// - Throws: The errors of `search`.
  package func holds(
    _ element: UnsafeRawBufferPointer, _ value: StoredValue, folding: TextFolding,
    search: (String) throws -> Bool
  ) rethrows -> Bool {
    switch op {
    case .text:
      guard case .text(let text) = StoredJSON.value(element, as: .text) else { return false }
      return try search(text)
    case .compare(let op, let kind):
      if case .text(var text) = value, !op.isOrdered, options.isEmpty {
        let isSame = text.withUTF8 {
          StoredJSON.isText(element, equalTo: UnsafeRawBufferPointer($0))
        }
        return isSame == (op == .equal)
      }
      // nil equals only null, not an element of another kind.
      let left = StoredJSON.value(element, as: value.isNull ? .any : kind)
      if left.isNull || value.isNull {
        return !op.isOrdered && op.holds(left.isNull == value.isNull ? 0 : 1)
      }
      return op.holds(
        StoredValue.compare(
          left.folded(options, folding), value.folded(options, folding), as: kind.type))
    }
  }
}

extension ElementTest {
  /// The test as an argument of a function of the engine.
  package var code: Int64 {
    let number: Int
    var kind: Int64 = 0
    switch op {
    case .compare(let op, let compared):
      number = ComparisonOperator.allCases.firstIndex(of: op) ?? 0
      kind = compared.rawValue
    case .text(let op):
      number = ComparisonOperator.allCases.count + (TextOperator.allCases.firstIndex(of: op) ?? 0)
    }
    return Int64(number) | kind << 4 | Int64(options.rawValue) << 6
  }

  /// Creates the test of a code, or `nil` for any other number.
  package init?(code: Int64) {
    guard let kind = StoredJSON.Kind(rawValue: code >> 4 & 3), code >> 8 == 0 else { return nil }
    options = TextOptions(rawValue: UInt8(code >> 6 & 3))
    let number = Int(code & 15)
    let comparisons = ComparisonOperator.allCases
    if number < comparisons.count {
      op = .compare(comparisons[number], kind)
    } else if number - comparisons.count < TextOperator.allCases.count {
      op = .text(TextOperator.allCases[number - comparisons.count])
    } else {
      return nil
    }
  }
}

extension StoredValue {
  fileprivate func folded(_ options: TextOptions, _ folding: TextFolding) -> StoredValue {
    guard !options.isEmpty, case .text(let text) = self else { return self }
    return .text(folding.fold(text, options))
  }
}
