import ObjectVaultCondition
import ObjectVaultDriver

/// The SQL functions that read parts of properties stored as JSON.
///
/// SQLCipher 3 has no functions for JSON. These run the same Swift code as the reference evaluator
/// and read a part without building the values of the others.
enum CollectionFunctions {
  /// Registers the functions on a connection.
  ///
  /// - `ov_member(kind, json, key, …)` returns the member at the end of the keys as a value of the
  ///   kind.
  /// - `ov_member_count(json, key, …)` returns its number of elements.
  /// - `ov_has_element(test, fails, value, json, key, …)` returns whether an element passes the
  ///   test with the value, or fails it.
  ///
  /// The first two return NULL, and the last 0, if there is no such part or an argument is missing.
  static func install(
    on connection: Connection, folding: TextFolding
  ) throws(DriverError) {
    try connection.register(function: "ov_member", arguments: -1, deterministic: true) {
      arguments, result in
      guard arguments.count > 1, let kind = StoredJSON.Kind(rawValue: arguments.integer(at: 0))
      else { return result.setNull() }
      result.set(arguments.withJSON(at: 1) { StoredJSON.value($0, as: kind) } ?? .null)
    }
    try connection.register(function: "ov_member_count", arguments: -1, deterministic: true) {
      arguments, result in
      guard arguments.count > 0 else { return result.setNull() }
      let count = arguments.withJSON(at: 0) { StoredJSON.count($0) } ?? nil
      result.set(count.map(StoredValue.integer) ?? .null)
    }
    var matchers = TextOperator.allCases.map { RecentMatchers($0, folding: folding) }
    try connection.register(function: "ov_has_element", arguments: -1, deterministic: true) {
      arguments, result in
      guard arguments.count > 3, let test = ElementTest(code: arguments.integer(at: 0))
      else { return result.set(false) }
      let fails = arguments.integer(at: 1) != 0
      let value = arguments.storedValue(at: 2)
      let found = try arguments.withJSON(at: 3) { json in
        try StoredJSON.contains(json) { element in
          try test.holds(element, value, folding: folding) { text in
            guard case .text(let op) = test.op, case .text(let pattern) = value,
              let position = TextOperator.allCases.firstIndex(of: op)
            else { return false }
            return try matchers[position].matches(text, pattern, test.options)
          } != fails
        }
      }
      result.set(found ?? false)
    }
  }
}

extension RecentMatchers {
  fileprivate mutating func matches(
    _ text: String, _ pattern: String, _ options: TextOptions
  ) throws -> Bool {
    var (text, pattern) = (text, pattern)
    return try text.withUTF8 { text in
      try pattern.withUTF8 { pattern in
        try matches(UnsafeRawBufferPointer(text), UnsafeRawBufferPointer(pattern), options)
      }
    }
  }
}

extension FunctionArguments {
  /// Calls `body` with the part of the JSON at a position that the keys after it lead to.
  ///
  /// - Returns: The result of `body`; `nil` without such a part.
  fileprivate func withJSON<R>(
    at position: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R? {
    guard storage(at: position) == .text else { return nil }
    return try withText(at: position) { text in
      guard var part = text.map({ UnsafeRawBufferPointer($0) }) else { return nil }
      for key in (position + 1)..<max(position + 1, count) {
        let member = withText(at: key) { key in
          key.flatMap { StoredJSON.member(UnsafeRawBufferPointer($0), of: part) }
        }
        guard let member else { return nil }
        part = member
      }
      return try body(part)
    }
  }
}
