package import ObjectVaultCondition
package import ObjectVaultDriver
import ObjectVaultModel

/// The SQL of SQLite 3.15 and later, with the functions that connections of a file register.
package struct SQLiteDialect: Dialect {
  package init() {}

  package var engineName: String { "SQLite" }
  // The limit of builds that do not set SQLITE_MAX_VARIABLE_NUMBER, until SQLite 3.32.
  package var isInProcess: Bool { true }
  package var parameterLimit: Int { 999 }

  // MARK: Values

  package func parameter(_ number: Int) -> String { "?\(number)" }

  package func parameter(_ number: Int, as type: PropertyType) -> String { parameter(number) }

  package var numbersParameters: Bool { false }

  package func constant(_ value: Bool) -> String { value ? "1" : "0" }

  package var now: String { SQLiteCatalog().now }

  // MARK: Conditions

  package func comparedByBytes(_ column: String) -> String { "\(column) COLLATE BINARY" }

  package func comparison(_ a: SQLOperand, _ op: ComparisonOperator, _ b: SQLOperand) -> String {
    let (left, right) = sides(a, b)
    return "\(left) \(op.sql) \(right)"
  }

  package func equality(_ a: SQLOperand, _ b: SQLOperand, negated: Bool) -> String {
    let (left, right) = sides(a, b)
    return "\(left) IS \(negated ? "NOT " : "")\(right)"
  }

  /// Returns both sides; integers are compared with decimals in decimal form.
  private func sides(_ a: SQLOperand, _ b: SQLOperand) -> (String, String) {
    guard a.type == .decimal || b.type == .decimal else { return (a.sql, b.sql) }
    func side(_ operand: SQLOperand) -> String {
      operand.type == nil || operand.type == .decimal
        ? operand.sql : "CAST(\(operand.sql) AS TEXT)"
    }
    return (ordered(side(a), as: .decimal), side(b))
  }

  package func orUnknown(_ condition: String) -> String { "ifnull(\(condition), 1)" }

  package func membership(_ value: SQLOperand, in list: String, negated: Bool) -> String {
    let compared = value.type.map { ordered(value.sql, as: $0) } ?? value.sql
    return "\(compared) \(negated ? "NOT " : "")IN (\(list))"
  }

  package var mixesTypesInLists: Bool { true }

  package func membership(_ value: String, inIntegersOf parameter: Int) -> String? { nil }

  package func folded(_ value: String, _ options: TextOptions) -> String? {
    "ov_fold(\(value), \(options.rawValue))"
  }

  package func member(
    of json: String, _ keys: [String], _ kind: StoredJSON.Kind
  ) -> String? {
    "ov_member(\(([String(kind.rawValue), json] + keys).joined(separator: ", ")))"
  }

  package func memberCount(of json: String, _ keys: [String]) -> String? {
    "ov_member_count(\(([json] + keys).joined(separator: ", ")))"
  }

  package func hasElement(
    in json: String, _ keys: [String], _ test: ElementTest, _ value: String, failing: Bool
  ) -> String? {
    let arguments = [String(test.code), failing ? "1" : "0", value, json] + keys
    return "ov_has_element(\(arguments.joined(separator: ", ")))"
  }

  package func length(_ value: String) -> String? { "ov_length(\(value))" }

  package func cased(_ value: String, _ textCase: TextCase) -> String? {
    "\(textCase.functionName)(\(value))"
  }

  package func search(
    _ op: TextOperator, _ subject: String, _ pattern: String, _ options: TextOptions, negated: Bool
  ) -> String? {
    if op == .contains, options.isEmpty {
      return "ifnull(instr(\(subject), \(pattern)), 0) \(negated ? "=" : ">") 0"
    }
    let call = "\(op.functionName)(\(subject), \(pattern), \(options.rawValue))"
    return negated ? "NOT \(call)" : call
  }

  /// Returns one function call of any depth: nested calls would overflow the stack of the parser.
  package func calculation(_ steps: [CalculationStep], _ operands: [String]) -> String? {
    let program = String(decoding: steps.map(\.rawValue), as: UTF8.self)
    return "ov_calculate('\(program)', \(operands.joined(separator: ", ")))"
  }

  package func aggregate(
    _ aggregate: Aggregate, of value: String?, as type: PropertyType
  ) -> String? {
    guard let value else { return "count(*)" }
    return switch aggregate {
    case .count: "count(\(value))"
    case .min: "min(\(ordered(value, as: type)))"
    case .max: "max(\(ordered(value, as: type)))"
    case .avg: "ov_mean(\(value))"
    case .sum: "\(ExactSum.Kind(of: type).functionName)(\(value))"
    }
  }

  // MARK: Lists

  package func temporary(_ table: String) -> String? { SQLiteCatalog().temporary(table) }

  package func value(_ number: Int, ofTemporary table: String) -> String? {
    "(SELECT \"value\" FROM \(SQLiteCatalog().temporary(table)) WHERE rowid = \(number))"
  }

  // MARK: Shared contents

  package func content(ofShared column: String) -> String? { SharedBlobs.content(of: column) }

  package func shared(_ content: String) -> String? { SharedBlobs.digest(of: content) }

  package func sharing(_ content: String) -> String? { SharedBlobs.stored(content) }

  // MARK: Order

  package func ordered(_ value: String, as type: PropertyType) -> String {
    type == .decimal ? "\(value) COLLATE ov_decimal" : value
  }

  /// Returns a term; SQLite sorts NULL before every other value.
  package func sortTerm(
    _ value: String, isNull: String, isAscending: Bool, isNilFirst: Bool?
  ) -> String {
    let term = value + (isAscending ? "" : " DESC")
    guard let isNilFirst, isNilFirst != isAscending else { return term }
    return "\(isNull)\(isNilFirst ? " DESC" : ""), \(term)"
  }

  package func range(from first: Int) -> String { " LIMIT ? OFFSET ?" }

  package var unlimited: StoredValue { .integer(-1) }

  // MARK: Changes

  package var replacesForAnyKey: Bool { true }

  package var numbersRowsInOrder: Bool { true }

  package func insertion(
    into table: String, _ columns: [String], key: [String], isGenerated: Bool, rows: [[String]],
    _ conflict: ConflictRule
  ) -> String {
    let verb =
      switch conflict {
      // A constraint can have another rule of its own, which a plain INSERT would apply.
      case .fail: "INSERT OR ABORT"
      case .failLeavingRows: "INSERT OR FAIL"
      case .replace, .replaceInPlace: "INSERT OR REPLACE"
      }
    let values = rows.map { "(\($0.joined(separator: ", ")))" }.joined(separator: ", ")
    return "\(verb) INTO \(table) (\(columns.joined(separator: ", "))) VALUES \(values)"
  }

  /// Returns an update, with `OR FAIL` if nothing must be undone, and otherwise `OR ABORT`.
  ///
  /// A constraint can have another rule of its own, which a plain UPDATE would apply.
  ///
  /// A statement that may have to undo one of several rows opens a statement journal, which
  /// SQLCipher 3.4 encrypts page by page, at six times the cost. For a single row, `OR FAIL` has
  /// the same effect as `OR ABORT`, unless a trigger changed something before the row failed.
  package func update(_ table: String, _ assignments: [String], isUndone: Bool) -> String {
    "UPDATE OR \(isUndone ? "ABORT" : "FAIL") \(table) SET \(assignments.joined(separator: ", "))"
  }
}
