package import ObjectVaultCondition
package import ObjectVaultDriver
import ObjectVaultSchema

/// The SQL of PostgreSQL 15 and later.
///
/// Tables have `bigint`, `double precision`, `bytea` and `text COLLATE "C"` columns, and the column
/// `ov_seq` with the order of insertion. Decimals are text, compared as `numeric`. The functions
/// `ov_…` are those of ``ServerFunctions``. Each call names their schema, so that another role
/// cannot put a function of its own in front of one.
package struct PostgreSQLDialect: Dialect {
  package init() {}

  package var engineName: String { "PostgreSQL" }
  package var isInProcess: Bool { false }
  package var parameterLimit: Int { 65_535 }

  // MARK: Values

  package func parameter(_ number: Int) -> String { "$\(number)" }

  /// Returns a parameter with its type: the server cannot infer it from `$1 IS NULL`.
  package func parameter(_ number: Int, as type: PropertyType) -> String {
    "$\(number)::\(PostgreSQLCatalog.typeName(type.columnType))"
  }

  package var numbersParameters: Bool { true }

  package func constant(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

  package var now: String { PostgreSQLCatalog().now }

  // MARK: Conditions

  package func comparedByBytes(_ column: String) -> String { "((\(column))::text COLLATE \"C\")" }

  package func comparison(_ a: SQLOperand, _ op: ComparisonOperator, _ b: SQLOperand) -> String {
    func compared(_ a: SQLOperand, _ b: SQLOperand) -> String {
      "objectvault.ov_cmp(\(a.sql), \(b.sql))"
    }
    if Self.isMember(a) || Self.isMember(b) { return "\(compared(a, b)) \(op.sql) 0" }
    switch (a.type?.family, b.type?.family) {
    case (.integer, .real): return "\(compared(a, b)) \(op.sql) 0"
    case (.real, .integer): return "0 \(op.sql) \(compared(b, a))"
    default:
      let (left, right) = sides(a, b)
      return "\(left) \(op.sql) \(right)"
    }
  }

  private static let number = "objectvault.ov_json_number("

  /// Whether an operand is a number in stored JSON, which is an integer or a double.
  private static func isMember(_ operand: SQLOperand) -> Bool { operand.sql.hasPrefix(number) }

  /// Returns both sides; decimals are compared as numbers.
  private func sides(_ a: SQLOperand, _ b: SQLOperand) -> (String, String) {
    guard a.type == .decimal || b.type == .decimal else { return (a.sql, b.sql) }
    return ("(\(a.sql))::numeric", "(\(b.sql))::numeric")
  }

  package func equality(_ a: SQLOperand, _ b: SQLOperand, negated: Bool) -> String {
    let isMixed =
      switch (a.type?.family, b.type?.family) {
      case (.integer, .real), (.real, .integer): true
      default: Self.isMember(a) || Self.isMember(b)
      }
    guard isMixed else {
      let (left, right) = sides(a, b)
      return "\(left) IS \(negated ? "" : "NOT ")DISTINCT FROM \(right)"
    }
    // Both are NULL, or neither is and they are equal.
    let equal = comparison(a, .equal, b)
    let same = "coalesce(\(equal), \(a.sql) IS NULL AND \(b.sql) IS NULL)"
    return negated ? "NOT \(same)" : same
  }

  package func orUnknown(_ condition: String) -> String { "(\(condition)) IS NOT FALSE" }

  package func membership(_ value: SQLOperand, in list: String, negated: Bool) -> String {
    "\(value.sql) \(negated ? "NOT " : "")IN (\(list))"
  }

  package var mixesTypesInLists: Bool { false }

  package func membership(_ value: String, inIntegersOf parameter: Int) -> String? {
    "\(value) IN (SELECT unnest($\(parameter)::text::bigint[]))"
  }

  package func folded(_ value: String, _ options: TextOptions) -> String? {
    "objectvault.ov_fold(\(value), \(options.rawValue))"
  }

  package func member(of json: String, _ keys: [String], _ kind: StoredJSON.Kind) -> String? {
    Self.value(Self.part(of: json, keys), as: kind)
  }

  package func memberCount(of json: String, _ keys: [String]) -> String? {
    "objectvault.ov_json_count(\(Self.part(of: json, keys)))"
  }

  package func hasElement(
    in json: String, _ keys: [String], _ test: ElementTest, _ value: String, failing: Bool
  ) -> String? {
    guard let passes = passes("ov_element", test, value) else { return nil }
    return "EXISTS (SELECT 1 FROM objectvault.ov_json_elements(\(Self.part(of: json, keys))) "
      + "AS ov_element WHERE \(failing ? "NOT " : "")(\(passes)))"
  }

  /// Returns a part of stored JSON, which keeps the digits of numbers.
  private static func part(of json: String, _ keys: [String]) -> String {
    "(\((["(\(json))::json"] + keys.map { "\($0)::text" }).joined(separator: " -> ")))"
  }

  private static func value(_ part: String, as kind: StoredJSON.Kind) -> String {
    let call = "objectvault.ov_json_\(kind)(\(part))"
    return kind == .text ? "(\(call) COLLATE \"C\")" : call
  }

  /// Returns a test of an element, which is true or false.
  private func passes(_ element: String, _ test: ElementTest, _ value: String) -> String? {
    switch test.op {
    case .text(let op):
      return search(op, Self.value(element, as: .text), value, test.options, negated: false)
        .map { "(\($0)) IS TRUE" }
    case .compare(let op, let kind):
      let isNull = "json_typeof(\(element)) = 'null'"
      // Only nil has no kind.
      if kind == .any {
        return "(\(value))::text IS NULL AND \(op == .notEqual ? "NOT " : "")\(isNull)"
      }
      func compared(_ value: String) -> String? {
        test.options.isEmpty ? value : folded(value, test.options)
      }
      guard let left = compared(Self.value(element, as: kind)), let right = compared(value)
      else { return nil }
      let compared = SQLOperand(right, nil)
      let comparison = comparison(SQLOperand(left, nil), op.isOrdered ? op : .equal, compared)
      let holds = "(\(comparison)) IS TRUE"
      if op.isOrdered { return holds }
      let equal = "CASE WHEN \(value) IS NULL THEN \(isNull) ELSE \(holds) END"
      return op == .equal ? equal : "NOT \(equal)"
    }
  }

  package func length(_ value: String) -> String? { "char_length(\(value))" }

  package func cased(_ value: String, _ textCase: TextCase) -> String? {
    "objectvault.ov_\(textCase.rawValue)(\(value))"
  }

  package func search(
    _ op: TextOperator, _ subject: String, _ pattern: String, _ options: TextOptions, negated: Bool
  ) -> String? {
    var (subject, pattern) = (subject, pattern)
    if !options.isEmpty {
      subject = "objectvault.ov_fold(\(subject), \(options.rawValue))"
      pattern = "objectvault.ov_fold(\(pattern), \(options.rawValue))"
    }
    let test: String
    switch op {
    case .like:
      test =
        "lower(\(subject) COLLATE \"C\") "
        + "LIKE lower(objectvault.ov_pattern(\(pattern)) COLLATE \"C\")"
    case .contains: test = "strpos(\(subject), \(pattern)) > 0"
    case .beginsWith: test = "starts_with(\(subject), \(pattern))"
    case .endsWith: test = "right(\(subject), length(\(pattern))) = \(pattern)"
    case .matches: return nil
    }
    return negated ? "(\(test)) IS NOT TRUE" : test
  }

  package func calculation(_ steps: [CalculationStep], _ operands: [String]) -> String? {
    var stack: [String] = []
    var rest = operands[...]
    for step in steps {
      guard let name = step.functionName else {
        guard let operand = rest.popFirst() else { return nil }
        stack.append(operand)
        continue
      }
      guard let right = stack.popLast(), let left = stack.popLast() else { return nil }
      stack.append("objectvault.\(name)(\(left), \(right))")
    }
    return stack.count == 1 && rest.isEmpty ? stack[0] : nil
  }

  /// Returns the function; doubles are added as numbers with all their digits, and rounded once.
  package func aggregate(_ aggregate: Aggregate, of value: String?, as type: PropertyType)
    -> String?
  {
    guard let value else { return "count(*)" }
    return switch (aggregate, type.family) {
    case (.count, _): "count(\(value))"
    case (.min, .decimal): "min((\(value))::numeric)::text"
    case (.max, .decimal): "max((\(value))::numeric)::text"
    case (.min, _): "min(\(value))"
    case (.max, _): "max(\(value))"
    case (.sum, .integer): "objectvault.ov_sum(sum(\(value)))"
    case (.sum, .real): "objectvault.ov_sum(\(realParts(of: value)))"
    case (.avg, .real): "objectvault.ov_mean(\(realParts(of: value)), count(\(value)))"
    case (.sum, .decimal): "trim_scale(coalesce(sum((\(value))::numeric), 0))::text"
    case (.sum, _), (.avg, _): nil
    }
  }

  private func realParts(of value: String) -> String {
    "sum(objectvault.ov_exact(\(value))), sum(objectvault.ov_special(\(value)))"
  }

  // MARK: Lists

  package func temporary(_ table: String) -> String? { nil }

  package func value(_ number: Int, ofTemporary table: String) -> String? { nil }

  // MARK: Shared contents

  package func content(ofShared column: String) -> String? { nil }

  package func shared(_ content: String) -> String? { nil }

  package func sharing(_ content: String) -> String? { nil }

  // MARK: Order

  package func ordered(_ value: String, as type: PropertyType) -> String {
    type == .decimal ? "(\(value))::numeric" : value
  }

  package func sortTerm(
    _ value: String, isNull: String, isAscending: Bool, isNilFirst: Bool?
  ) -> String {
    let term = value + (isAscending ? "" : " DESC")
    return isNilFirst.map { "\(term) NULLS \($0 ? "FIRST" : "LAST")" } ?? term
  }

  package func range(from first: Int) -> String { " LIMIT $\(first) OFFSET $\(first + 1)" }

  package var unlimited: StoredValue { .null }

  // MARK: Changes

  package var replacesForAnyKey: Bool { false }

  package var numbersRowsInOrder: Bool { false }

  package func insertion(
    into table: String, _ columns: [String], key: [String], isGenerated: Bool, rows: [[String]],
    _ conflict: ConflictRule
  ) -> String {
    let generated = isGenerated ? columns.firstIndex(of: key[0]) : nil
    let values = rows.map { row in
      var row = row
      if let generated {
        let series = Self.series(of: table, key[0])
        row[generated] = "objectvault.ov_number(\(series), \(row[generated])::bigint)"
      }
      return "(\(row.joined(separator: ", ")))"
    }
    var insert =
      "INSERT INTO \(table) (\(columns.joined(separator: ", "))) "
      + "VALUES \(values.joined(separator: ", "))"
    if [.replace, .replaceInPlace].contains(conflict) {
      var assignments = columns.map { "\($0) = EXCLUDED.\($0)" }
      // The row moves to the end.
      if !isGenerated, conflict == .replace {
        assignments.append("\(PostgreSQLCatalog.order) = DEFAULT")
      }
      let set = assignments.joined(separator: ", ")
      insert += " ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(set)"
    }
    return isGenerated ? "\(insert) RETURNING \(table).\(key[0])" : insert
  }

  /// Returns an insertion of one row in the form that lets the server generate the number.
  ///
  /// - Parameter sql: A statement of ``insertion(into:_:key:isGenerated:rows:_:)``.
  /// - Returns: The statement, and the number of the parameter that it does not have; `nil` for
  ///   other statements.
  static func generating(_ sql: String) -> (sql: String, parameter: Int)? {
    guard sql.hasPrefix("INSERT INTO "), let call = sql.firstRange(of: "objectvault.ov_number("),
      let end = sql[call.upperBound...].firstRange(of: "::bigint::bigint)"),
      let start = sql[call.upperBound..<end.lowerBound].lastIndex(of: "$"),
      let parameter = Int(sql[sql.index(after: start)..<end.lowerBound]),
      !sql[end.upperBound...].contains("objectvault.ov_number(")
    else { return nil }
    let generating = sql[..<call.lowerBound] + "DEFAULT" + sql[end.upperBound...]
    return (String(generating), parameter)
  }

  /// Returns a statement that removes the rows with one of the keys in an array.
  ///
  /// - Parameter sql: A statement that removes the row with a key.
  /// - Returns: The statement; `nil` if `sql` is another one.
  static func removingMany(_ sql: String) -> String? {
    let end = " = $1::"
    guard sql.hasPrefix("DELETE FROM "), let start = sql.firstRange(of: end),
      !sql[..<start.lowerBound].contains("$"),
      sql[start.upperBound...].allSatisfy({ $0.isLetter })
    else { return nil }
    return "\(sql[..<start.lowerBound]) = ANY ($1)"
  }

  /// Returns the series of the numbers of a key.
  ///
  /// - Parameters:
  ///   - table: The quoted table.
  ///   - key: The quoted column.
  /// - Returns: An expression.
  static func series(of table: String, _ key: String) -> String {
    PostgreSQLCatalog.series(of: SQL.unquoted(table), SQL.unquoted(key))
  }

  package func update(_ table: String, _ assignments: [String], isUndone: Bool) -> String {
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
