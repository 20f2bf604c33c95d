public import ObjectVaultCondition
package import ObjectVaultDriver

/// An SQL statement: its text, with `?` for values, and the values in order.
///
/// Interpolated values are bound and never become part of the text, so user input can't change the
/// meaning of a statement:
///
/// ```swift
/// let adults: SQLStatement =
///   "SELECT * FROM \(Student.self) WHERE age >= \(18) AND name <> \(name)"
/// adults.sql     // SELECT * FROM `Student` WHERE age >= ? AND name <> ?
/// adults.values  // .integer(18), .text(…)
/// ```
///
///
/// Names, tables, lists and fragments have their own interpolations; see ``SQLInterpolation``. A
/// statement is a value: creating it runs nothing and never fails. Errors in values, in names or in
/// the number of values are reported by the call that runs the statement.
public struct SQLStatement: Sendable, Hashable {
  /// The text, with `?` for each value; it contains no bound value.
  public let sql: String
  /// The values for the `?`, in order, in their stored format.
  public let values: [StoredValue]
  /// The first interpolation error.
  package let defect: SQLDefect?

  package init(sql: String, values: [StoredValue], defect: SQLDefect?) {
    self.sql = sql
    self.values = values
    self.defect = defect
  }

  /// Creates a statement from text that is known only at run time.
  ///
  /// The text is used unchanged: **its author decides what the statement does.** Never build it
  /// from user input. Prefer a literal, which interpolates values and names safely.
  ///
  /// - Parameters:
  ///   - sql: The text, with `?` for each value.
  ///   - values: The values, in order.
  public init(unchecked sql: String, values: [StoredValue] = []) {
    let defect = values.lazy.compactMap(SQLDefect.init(of:)).first
    self.init(sql: sql, values: values, defect: defect)
  }

  /// The maximum number of values of a statement.
  public static let maximumValueCount = 999

  /// Checks the interpolations and the number of values.
  ///
  /// - Throws: ``VaultError``: `.invalidValue` for a value that can't be stored, `.noSuchProperty`
  ///   and `.invalidArgument` for other invalid interpolations, `.invalidArgument` for too many
  ///   values.
  package func check() throws(VaultError) {
    if let defect { throw defect.error }
    guard values.count <= Self.maximumValueCount else {
      throw VaultError(
        .invalidArgument,
        "The statement has \(values.count) values, but at most \(Self.maximumValueCount) are "
          + "possible. Run it in parts, in one transaction if all must succeed or none.")
    }
  }
}

extension SQLStatement: ExpressibleByStringInterpolation {
  /// The interpolations of a statement.
  public typealias StringInterpolation = SQLInterpolation

  /// Creates a statement without values.
  public init(stringLiteral sql: String) {
    self.init(sql: sql, values: [], defect: nil)
  }

  /// Creates a statement from an interpolated literal.
  public init(stringInterpolation: StringInterpolation) {
    self = stringInterpolation.statement
  }
}

// MARK: - Composition

extension SQLStatement {
  /// Returns the concatenation of two statements, without a separator, with the values of both.
  public static func + (a: SQLStatement, b: SQLStatement) -> SQLStatement {
    SQLStatement(sql: a.sql + b.sql, values: a.values + b.values, defect: a.defect ?? b.defect)
  }

  /// Appends the text and the values of another statement, without a separator.
  public static func += (a: inout SQLStatement, b: SQLStatement) {
    a = a + b
  }

  /// Appends the text and the values of another statement, without a separator.
  public mutating func append(_ other: SQLStatement) {
    self += other
  }
}

extension Sequence where Element == SQLStatement {
  /// Returns the concatenation of the statements with a separator, with all values.
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

// MARK: - Description

extension SQLStatement: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The text, without the values.
  public var description: String { sql }

  /// The text, without the values.
  public var debugDescription: String { sql }

  /// A mirror of the text and the number of values, so that reflection does not reveal values.
  public var customMirror: Mirror {
    Mirror(self, children: ["sql": sql, "valueCount": values.count], displayStyle: .struct)
  }
}

/// An error in an interpolation, which is reported when the statement runs.
package struct SQLDefect: Sendable, Hashable {
  let code: VaultError.Code
  let message: String

  var error: VaultError { VaultError(code, message) }

  package init(_ code: VaultError.Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package init(_ error: any Error) {
    let error = error as? VaultError
    self.init(
      error?.code ?? .invalidValue,
      error?.message ?? "A value cannot be converted to its stored form. Pass another value.")
  }

  /// Creates the error for a value that can't be stored, or returns `nil` for a valid value.
  package init?(of value: StoredValue) {
    guard case .real(let number) = value, number.isNaN else { return nil }
    self.init(VaultError.notANumber(Double.self))
  }
}
