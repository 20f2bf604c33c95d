public import ObjectVaultCondition

/// One statement of SQL: its text, with `?` where a value is to be, and the values in their order.
///
/// What is interpolated becomes a bound value, never a part of the text, so that nothing anybody
/// typed can change what the statement does:
///
/// ```swift
/// let adults: SQLStatement = "SELECT * FROM \(Student.self) WHERE age >= \(18) AND name <> \(name)"
/// adults.sql     // SELECT * FROM `Student` WHERE age >= ? AND name <> ?
/// adults.values  // .integer(18), .text(…)
/// ```
///
/// Names, tables, lists and parts of statements have interpolations of their own; see
/// ``SQLInterpolation``. A statement is a value: making one runs nothing, and fails at nothing. What
/// is wrong with a value, a name or their number is reported by the call that is to run it.
public struct SQLStatement: Sendable, Hashable {
  /// The text, with `?` for each value. No value stands in it.
  public let sql: String
  /// What is bound for the `?`, in order, as the file keeps it.
  public let values: [StoredValue]
  /// What is wrong with the first thing that could not be interpolated.
  let defect: SQLDefect?

  init(sql: String, values: [StoredValue], defect: SQLDefect?) {
    self.sql = sql
    self.values = values
    self.defect = defect
  }

  /// A statement from a text that is known only when the program runs.
  ///
  /// The text is taken as it is: **whoever writes it decides what the statement does.** Never build it
  /// of what a user typed; write a literal, whose values and names are interpolated, wherever one serves.
  ///
  /// - Parameters:
  ///   - sql: The text, with `?` where a value is to be.
  ///   - values: The values, in order.
  public init(unchecked sql: String, values: [StoredValue] = []) {
    let defect = values.lazy.compactMap(SQLDefect.init(of:)).first
    self.init(sql: sql, values: values, defect: defect)
  }

  /// How many values a statement can have on every engine.
  public static let maximumValueCount = 999

  /// - Throws: ``VaultError``: `.invalidValue` for a value that no file could keep,
  ///   `.noSuchProperty` and `.invalidArgument` for what was interpolated otherwise.
  package func check() throws(VaultError) {
    if let defect { throw defect.error }
    guard values.count <= Self.maximumValueCount else {
      throw VaultError(
        .invalidArgument,
        "A statement takes at most \(Self.maximumValueCount) values, and this one has "
          + "\(values.count). Run it in parts, in one transaction where all must happen or none.")
    }
  }
}

extension SQLStatement: ExpressibleByStringInterpolation {
  /// What can be interpolated.
  public typealias StringInterpolation = SQLInterpolation

  /// A statement without values.
  public init(stringLiteral sql: String) {
    self.init(sql: sql, values: [], defect: nil)
  }

  /// A statement of the literal's text and what was interpolated.
  public init(stringInterpolation: StringInterpolation) {
    self = stringInterpolation.statement
  }
}

// MARK: - Putting together

extension SQLStatement {
  /// One text after the other, with nothing between them, and the values of both.
  public static func + (a: SQLStatement, b: SQLStatement) -> SQLStatement {
    SQLStatement(sql: a.sql + b.sql, values: a.values + b.values, defect: a.defect ?? b.defect)
  }

  /// Appends another statement's text and values, with nothing between them.
  public static func += (a: inout SQLStatement, b: SQLStatement) {
    a = a + b
  }

  /// Appends another statement's text and values, with nothing between them.
  public mutating func append(_ other: SQLStatement) {
    self += other
  }
}

extension Sequence where Element == SQLStatement {
  /// The statements' texts with a separator between them, and the values of all.
  ///
  /// ```swift
  /// let filter = parts.joined(separator: " AND ")
  /// ```
  public func joined(separator: SQLStatement = "") -> SQLStatement {
    var result = SQLInterpolation(literalCapacity: 0, interpolationCount: 0)
    for (position, part) in enumerated() {
      if position > 0 { result.append(separator) }
      result.append(part)
    }
    return result.statement
  }
}

// MARK: - Showing

extension SQLStatement: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The text. Values are never shown.
  public var description: String { sql }

  /// The text. Values are never shown.
  public var debugDescription: String { sql }

  /// The text and the number of values: what prints a statement's parts shows none of them.
  public var customMirror: Mirror {
    Mirror(self, children: ["sql": sql, "valueCount": values.count], displayStyle: .struct)
  }
}

/// What is wrong with something that was interpolated.
struct SQLDefect: Sendable, Hashable {
  let code: VaultError.Code
  let message: String

  var error: VaultError { VaultError(code, message) }

  init(_ code: VaultError.Code, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ error: any Error) {
    let error = error as? VaultError
    self.init(
      error?.code ?? .invalidValue,
      error?.message ?? "A value could not be brought into the form that the file keeps it in.")
  }

  /// What is wrong with a value that was given as the file keeps it.
  init?(of value: StoredValue) {
    guard case .real(let number) = value, number.isNaN else { return nil }
    self.init(VaultError.notANumber(Double.self))
  }
}
