import Foundation
import ObjectVaultCondition
import ObjectVaultDriver

/// The SQL of PostgreSQL 15, as text alone: it proves that stores write no SQL of one engine.
///
/// Tables have `bigint`, `double precision`, `numeric`, `boolean`, `bytea` and `text COLLATE "C"`
/// columns, and the column `ov_seq` with the order of insertion. Text that conditions compare
/// without case or accents is also stored folded, in columns that ``folded(_:_:)`` names. The
/// functions `ov_…` are written in SQL: `ov_cmp` compares an integer with a double exactly, and the
/// others calculate, with NULL where PostgreSQL raises an error.
struct PostgresDialect: Dialect {
  var engineName: String { "PostgreSQL" }
  var parameterLimit: Int { 65_535 }

  // MARK: Values

  func parameter(_ number: Int) -> String { "$\(number)" }

  var numbersParameters: Bool { true }

  func constant(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

  var now: String { "round(extract(epoch FROM statement_timestamp()), 3)::double precision" }

  // MARK: Conditions

  func comparison(_ a: SQLOperand, _ op: ComparisonOperator, _ b: SQLOperand) -> String {
    switch (a.type?.family, b.type?.family) {
    case (.integer, .real): return "ov_cmp(\(a.sql), \(b.sql)) \(op.sql) 0"
    case (.real, .integer): return "0 \(op.sql) ov_cmp(\(b.sql), \(a.sql))"
    default: return "\(a.sql) \(op.sql) \(b.sql)"
    }
  }

  func equality(_ a: SQLOperand, _ b: SQLOperand, negated: Bool) -> String {
    let isSame = "IS \(negated ? "" : "NOT ")DISTINCT FROM"
    switch (a.type?.family, b.type?.family) {
    case (.integer, .real), (.real, .integer):
      // Both are NULL, or neither is and they are equal.
      let equal = comparison(a, .equal, b)
      let same = "coalesce(\(equal), \(a.sql) IS NULL AND \(b.sql) IS NULL)"
      return negated ? "NOT \(same)" : same
    default: return "\(a.sql) \(isSame) \(b.sql)"
    }
  }

  func orUnknown(_ condition: String) -> String { "(\(condition)) IS NOT FALSE" }

  func membership(_ value: SQLOperand, in list: String, negated: Bool) -> String {
    "\(value.sql) \(negated ? "NOT " : "")IN (\(list))"
  }

  /// Returns the column that holds the text folded; only text in a column is stored so.
  func folded(_ value: String, _ options: TextOptions) -> String? {
    guard value.hasSuffix("\""), !value.contains("("),
      let start = value.range(of: ".\"")
    else { return nil }
    return "\(value[..<start.lowerBound]).\"ov_folded_\(options.rawValue)_"
      + value[start.upperBound...]
  }

  /// Returns `nil`: canonical JSON is text, and casting it for each row needs a table of its own.
  func member(of json: String, _ keys: [String], _ kind: StoredJSON.Kind) -> String? { nil }

  func memberCount(of json: String, _ keys: [String]) -> String? { nil }

  func hasElement(
    in json: String, _ keys: [String], _ test: ElementTest, _ value: String, failing: Bool
  ) -> String? { nil }

  func length(_ value: String) -> String? { "char_length(\(value))" }

  /// Returns `nil`: PostgreSQL maps the case of a scalar by its context and the locale.
  func cased(_ value: String, _ textCase: TextCase) -> String? { nil }

  func search(
    _ op: TextOperator, _ subject: String, _ pattern: String, _ options: TextOptions, negated: Bool
  ) -> String? {
    var (subject, pattern) = (subject, pattern)
    if !options.isEmpty {
      // The driver folds the values of parameters in such places.
      guard let column = folded(subject, options), pattern.hasPrefix("$") else { return nil }
      (subject, pattern) = (column, "ov_folded(\(pattern))")
    }
    let test: String
    switch op {
    case .like: test = "lower(\(subject)) LIKE lower(ov_pattern(\(pattern)))"
    case .contains: test = "strpos(\(subject), \(pattern)) > 0"
    case .beginsWith: test = "starts_with(\(subject), \(pattern))"
    case .endsWith: test = "right(\(subject), length(\(pattern))) = \(pattern)"
    case .matches: return nil
    }
    return negated ? "(\(test)) IS NOT TRUE" : test
  }

  func calculation(_ steps: [CalculationStep], _ operands: [String]) -> String? {
    var stack: [String] = []
    var rest = operands[...]
    for step in steps {
      guard let name = step.functionName else {
        guard let operand = rest.popFirst() else { return nil }
        stack.append(operand)
        continue
      }
      guard let right = stack.popLast(), let left = stack.popLast() else { return nil }
      stack.append("\(name)(\(left), \(right))")
    }
    return stack.count == 1 && rest.isEmpty ? stack[0] : nil
  }

  /// Returns the function; sums of doubles are not exact in PostgreSQL, and means of them neither.
  func aggregate(_ aggregate: Aggregate, of value: String?, as type: PropertyType) -> String? {
    guard let value else { return "count(*)" }
    return switch (aggregate, type.family) {
    case (.count, _): "count(\(value))"
    case (.min, _): "min(\(value))"
    case (.max, _): "max(\(value))"
    case (.sum, .integer), (.sum, .decimal): "coalesce(sum(\(value)), 0)"
    case (.sum, _), (.avg, _): nil
    }
  }

  // MARK: Lists

  func temporary(_ table: String) -> String { "pg_temp.\(SQLIdentifier(table))" }

  func value(_ number: Int, ofTemporary table: String) -> String? { nil }

  // MARK: Shared contents

  func content(ofShared column: String) -> String? { nil }

  func shared(_ content: String) -> String? { nil }

  func sharing(_ content: String) -> String? { nil }

  // MARK: Order

  func ordered(_ value: String, as type: PropertyType) -> String { value }

  func sortTerm(
    _ value: String, isNull: String, isAscending: Bool, isNilFirst: Bool?
  ) -> String {
    let term = value + (isAscending ? "" : " DESC")
    return isNilFirst.map { "\(term) NULLS \($0 ? "FIRST" : "LAST")" } ?? term
  }

  func range(from first: Int) -> String { " LIMIT $\(first) OFFSET $\(first + 1)" }

  var unlimited: StoredValue { .null }

  // MARK: Changes

  func insertion(
    into table: String, _ columns: [String], key: [String], rows: [[String]],
    _ conflict: ConflictRule
  ) -> String {
    let values = rows.map { "(\($0.joined(separator: ", ")))" }.joined(separator: ", ")
    let insert = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES \(values)"
    guard conflict == .replace else { return insert }
    let set = columns.map { "\($0) = EXCLUDED.\($0)" }.joined(separator: ", ")
    return "\(insert) ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(set)"
  }

  func update(_ table: String, _ assignments: [String], isUndone: Bool) -> String {
    "UPDATE \(table) SET \(assignments.joined(separator: ", "))"
  }
}

extension CalculationStep {
  /// The function of the step; `nil` for a step that takes an operand.
  fileprivate var functionName: String? {
    switch self {
    case .value: nil
    case .addIntegers: "ov_add"
    case .subtractIntegers: "ov_subtract"
    case .multiplyIntegers: "ov_multiply"
    case .divideIntegers: "ov_divide"
    case .remainderOfIntegers: "ov_remainder"
    case .addReals: "ov_add_real"
    case .subtractReals: "ov_subtract_real"
    case .multiplyReals: "ov_multiply_real"
    case .divideReals: "ov_divide_real"
    }
  }
}
