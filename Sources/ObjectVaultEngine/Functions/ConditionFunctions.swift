package import ObjectVaultCondition
package import ObjectVaultDriver

/// The SQL functions and the collation that conditions use.
///
/// They run the same Swift code as the reference evaluator.
package enum ConditionFunctions {
  /// Registers the functions and the collation on a connection.
  ///
  /// - `ov_like`, `ov_contains`, `ov_begins_with`, `ov_ends_with` and `ov_matches` have three
  ///   arguments: the text, the pattern and the options. They return 1 or 0, and 0 if either text
  ///   is NULL.
  /// - `ov_fold` folds a text with the given options and returns NULL for NULL.
  /// - `ov_length` counts the Unicode scalars of a text, `ov_lower` and `ov_upper` return it in
  ///   another case. They return NULL for values other than text.
  /// - `ov_sum`, `ov_sum_real` and `ov_sum_decimal` add exactly. `ov_mean` divides such a sum by
  ///   the number of values.
  /// - `ov_calculate` runs a program of ``CalculationStep`` on the values that follow it. It
  ///   returns NULL if there is no result.
  /// - `ov_decimal` is the collation that compares decimals as numbers.
  package static func install(
    on connection: Connection, folding: TextFolding
  ) throws(DriverError) {
    for op in TextOperator.allCases {
      var matchers = RecentMatchers(op, folding: folding)
      try connection.register(function: op.functionName, arguments: 3, deterministic: true) {
        arguments, result in
        let options = TextOptions(rawValue: UInt8(truncatingIfNeeded: arguments.integer(at: 2)))
        let holds = try arguments.withText(at: 0) { text in
          try arguments.withText(at: 1) { pattern in
            guard let text, let pattern else { return false }
            return try matchers.matches(
              UnsafeRawBufferPointer(text), UnsafeRawBufferPointer(pattern), options)
          }
        }
        result.set(holds)
      }
    }
    try connection.register(function: "ov_fold", arguments: 2, deterministic: true) {
      arguments, result in
      let options = TextOptions(rawValue: UInt8(truncatingIfNeeded: arguments.integer(at: 1)))
      guard let text = arguments.text(at: 0) else { return result.setNull() }
      result.set(folding.fold(text, options))
    }
    try installTextFunctions(on: connection)
    try CollectionFunctions.install(on: connection, folding: folding)
    try connection.register(function: "ov_calculate", arguments: -1, deterministic: true) {
      arguments, result in
      guard arguments.count > 0 else { return result.setNull() }
      let value = arguments.withText(at: 0) { program in
        program.map {
          CalculationStep.run($0, count: arguments.count - 1) { arguments.number(at: $0 + 1) }
        }
      }
      result.set(value ?? .null)
    }
    for kind in ExactSum.Kind.allCases {
      try connection.register(aggregate: kind.functionName) {
        SumRun(kind, isMean: false)
      }
    }
    try connection.register(aggregate: "ov_mean") { SumRun(.real, isMean: true) }
    try connection.register(collation: "ov_decimal") { Int32(DecimalText.compare($0, $1)) }
  }

  private static func installTextFunctions(on connection: Connection) throws(DriverError) {
    try connection.register(function: "ov_length", arguments: 1, deterministic: true) {
      arguments, result in
      guard arguments.storage(at: 0) == .text else { return result.setNull() }
      let length = arguments.withText(at: 0) { text in
        // Every scalar has one byte that does not continue another one.
        text?.reduce(into: Int64(0)) { if $1 & 0xC0 != 0x80 { $0 += 1 } } ?? 0
      }
      result.set(length)
    }
    for textCase in TextCase.allCases {
      try connection.register(function: textCase.functionName, arguments: 1, deterministic: true) {
        arguments, result in
        guard arguments.storage(at: 0) == .text, let text = arguments.text(at: 0) else {
          return result.setNull()
        }
        result.set(textCase.applied(to: text))
      }
    }
  }
}

/// A cache of the most recently used text matchers; most statements use one pattern for all rows.
struct RecentMatchers {
  private struct Entry {
    var pattern: [UInt8]
    var options: TextOptions
    var matcher: TextMatcher
  }

  private static let capacity = 8

  private let op: TextOperator
  private let folding: TextFolding
  private var entries: [Entry] = []
  private var oldest = 0

  init(_ op: TextOperator, folding: TextFolding) {
    self.op = op
    self.folding = folding
  }

  mutating func matches(
    _ text: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer, _ options: TextOptions
  ) throws -> Bool {
    for entry in entries where entry.options == options {
      let isSame =
        entry.pattern.count == pattern.count
        && entry.pattern.withUnsafeBytes { ByteOrder.compare($0, pattern) } == 0
      if isSame { return try entry.matcher.matches(text) }
    }
    let matcher = try TextMatcher(
      op, String(decoding: pattern, as: UTF8.self), options: options, folding: folding)
    let entry = Entry(pattern: Array(pattern), options: options, matcher: matcher)
    if entries.count < Self.capacity {
      entries.append(entry)
    } else {
      entries[oldest] = entry
      oldest = (oldest + 1) % Self.capacity
    }
    return try matcher.matches(text)
  }
}
