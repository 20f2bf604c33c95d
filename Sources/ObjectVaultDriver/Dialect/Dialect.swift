package import ObjectVaultCondition

/// The SQL that differs between database engines.
///
/// A function that returns `nil` means that the engine lacks the capability. The writer then throws
/// an error with its name, so no statement silently gets another meaning. What a condition means is
/// the same for every engine and is defined in Guides/Conditions.md.
package protocol Dialect: Sendable {
  /// The name of the engine, for errors.
  var engineName: String { get }
  /// Whether statements need no round trip to another process.
  var isInProcess: Bool { get }
  /// The greatest number of parameters of a statement.
  var parameterLimit: Int { get }

  // MARK: Values

  /// Returns the parameter with a number, counted from 1.
  func parameter(_ number: Int) -> String

  /// Returns the parameter with a number for values of a type, which can be NULL.
  func parameter(_ number: Int, as type: PropertyType) -> String

  /// Whether the parameters of a condition must have numbers; otherwise each is `?`.
  var numbersParameters: Bool { get }

  /// Returns a constant truth value.
  func constant(_ value: Bool) -> String

  /// The time at the start of the statement, in seconds since 1970, rounded to milliseconds.
  var now: String { get }

  // MARK: Conditions

  /// Returns a column with a collation of another program as a value that compares by its bytes.
  func comparedByBytes(_ column: String) -> String

  /// Returns a comparison of two values; it is not true if one of them is NULL.
  func comparison(_ a: SQLOperand, _ op: ComparisonOperator, _ b: SQLOperand) -> String

  /// Returns a comparison of two values, of which NULL equals only NULL.
  func equality(_ a: SQLOperand, _ b: SQLOperand, negated: Bool) -> String

  /// Returns a condition that is also true if the given one is NULL.
  func orUnknown(_ condition: String) -> String

  /// Returns a test whether a value is, or is not, among others, written as a list or a query.
  func membership(_ value: SQLOperand, in list: String, negated: Bool) -> String

  /// Whether a list of integers and doubles compares each of them as it is.
  ///
  /// Other engines convert all values of a list to one type.
  var mixesTypesInLists: Bool { get }

  /// Returns a test whether an integer is in a list, which a parameter has as text: `{1,2}`.
  ///
  /// - Parameters:
  ///   - value: The integer.
  ///   - parameter: The number of the parameter.
  /// - Returns: The test; `nil` if the engine has no such lists.
  func membership(_ value: String, inIntegersOf parameter: Int) -> String?

  /// Returns a text with case or accents removed as the options say.
  func folded(_ value: String, _ options: TextOptions) -> String?

  /// Returns the number of Unicode scalars of a text; NULL for NULL.
  func length(_ value: String) -> String?

  /// Returns a text in lower or upper case; NULL for NULL.
  func cased(_ value: String, _ textCase: TextCase) -> String?

  /// Returns a member of stored JSON as a value of a kind; NULL for a value of another kind.
  ///
  /// - Parameters:
  ///   - json: The JSON.
  ///   - keys: The names of the members that lead to the value.
  ///   - kind: The kind of the value.
  /// - Returns: The value; `nil` if the engine cannot read JSON.
  func member(of json: String, _ keys: [String], _ kind: StoredJSON.Kind) -> String?

  /// Returns the number of elements of a part of stored JSON; NULL for a value without elements.
  func memberCount(of json: String, _ keys: [String]) -> String?

  /// Returns a test whether an element of a list in stored JSON passes or, if `failing` is `true`,
  /// fails a test.
  ///
  /// It is true or false, and false if there is no list.
  func hasElement(
    in json: String, _ keys: [String], _ test: ElementTest, _ value: String, failing: Bool
  ) -> String?

  /// Returns a text search; it is not true if a value is NULL.
  ///
  /// - Parameters:
  ///   - op: The kind of search.
  ///   - subject: The searched text.
  ///   - pattern: The searched part or pattern.
  ///   - options: The differences that the search ignores.
  ///   - negated: Whether the search must fail; it is then true if a value is NULL.
  /// - Returns: The condition; `nil` if the engine cannot search so.
  func search(
    _ op: TextOperator, _ subject: String, _ pattern: String, _ options: TextOptions, negated: Bool
  ) -> String?

  /// Returns a calculation, which is NULL if it has no result.
  ///
  /// - Parameters:
  ///   - steps: The steps in postfix order.
  ///   - operands: The values in the order of their steps.
  /// - Returns: The expression; `nil` if the engine cannot calculate.
  func calculation(_ steps: [CalculationStep], _ operands: [String]) -> String?

  /// Returns a function of the values of many rows.
  ///
  /// - Parameters:
  ///   - aggregate: The function.
  ///   - value: The value of one row; `nil` to count rows.
  ///   - type: The type of the result.
  /// - Returns: The expression; `nil` if the engine lacks the function.
  func aggregate(_ aggregate: Aggregate, of value: String?, as type: PropertyType) -> String?

  // MARK: Lists

  /// Returns the name of a temporary table of values; `nil` if the engine has none without a type.
  func temporary(_ table: String) -> String?

  /// Returns the value of one row of a temporary table of values, counted from 1.
  func value(_ number: Int, ofTemporary table: String) -> String?

  // MARK: Shared contents

  /// Returns the content of a column that may hold the digest of a shared content.
  func content(ofShared column: String) -> String?

  /// Returns the value of such a column for a content, to compare it with the column.
  func shared(_ content: String) -> String?

  /// Returns the value of such a column for a content, and stores the content if it is new.
  func sharing(_ content: String) -> String?

  // MARK: Order

  /// Returns a value as it is sorted and compared with others of its type.
  func ordered(_ value: String, as type: PropertyType) -> String

  /// Returns a term of `ORDER BY`.
  ///
  /// - Parameters:
  ///   - value: The value, as ``ordered(_:as:)`` returns it.
  ///   - isNull: The test whether the value is NULL.
  ///   - isAscending: The direction.
  ///   - isNilFirst: The position of NULL; `nil` for a value that is never NULL.
  /// - Returns: One or two terms.
  func sortTerm(
    _ value: String, isNull: String, isAscending: Bool, isNilFirst: Bool?
  ) -> String

  /// Returns the clause for a part of the rows, with a leading space and two parameters: the number
  /// of rows and the number of rows to skip.
  ///
  /// - Parameter first: The number of the first of the two parameters.
  /// - Returns: The clause.
  func range(from first: Int) -> String

  /// The value of the first parameter of ``range(from:)`` for all rows.
  var unlimited: StoredValue { get }

  // MARK: Changes

  /// Whether a replacing insertion also removes rows with an equal value of a unique index.
  var replacesForAnyKey: Bool { get }

  /// Whether the numbers generated for the rows of one insertion follow each other.
  var numbersRowsInOrder: Bool { get }

  /// Returns a statement that inserts rows.
  ///
  /// - Parameters:
  ///   - table: The quoted table.
  ///   - columns: The quoted columns.
  ///   - key: The quoted columns of the primary key.
  ///   - isGenerated: Whether the engine generates a number for the single key of a row whose value
  ///     is NULL.
  ///   - rows: The values of each row.
  ///   - conflict: The treatment of a row that has the key of another.
  /// - Returns: The statement.
  func insertion(
    into table: String, _ columns: [String], key: [String], isGenerated: Bool, rows: [[String]],
    _ conflict: ConflictRule
  ) -> String

  /// Returns an update.
  ///
  /// - Parameters:
  ///   - table: The quoted table.
  ///   - assignments: The assignments.
  ///   - isUndone: Whether an update that fails after it changed rows must undo those changes;
  ///     otherwise the transaction does.
  /// - Returns: The statement without a `WHERE` clause.
  func update(_ table: String, _ assignments: [String], isUndone: Bool) -> String
}

/// A value in a condition as SQL.
package struct SQLOperand {
  package var sql: String
  /// The type; `nil` for a parameter whose type the other side determines.
  package var type: PropertyType?

  package init(_ sql: String, _ type: PropertyType?) {
    self.sql = sql
    self.type = type
  }
}

/// The treatment of an inserted row that has the key of another.
package enum ConflictRule: Sendable {
  /// The statement fails and has no effect.
  case fail
  /// The statement fails; the transaction undoes the rows that it inserted before.
  case failLeavingRows
  /// The row replaces the other, and is the last one in the order of insertion.
  case replace
  /// The row replaces the other in a table that is ordered by its key.
  case replaceInPlace
}

/// A capability that a condition can need of an engine beyond plain SQL.
package enum Capability: String, Sendable {
  case foldedText = "comparisons of text without case or accents"
  case regularExpressions = "MATCHES"
  case textSearch = "searches in text"
  case calculations = "calculations"
  case collections = "members and elements of stored JSON"
  case lengths = "lengths of text"
  case textCases = "lowercase() and uppercase()"
  case aggregates = "exact sums and averages"
  case longLists = "lists of that many values"
  case sharedContents = "shared contents"
  case fullTextIndexes = "full-text indexes"
  case histories = "histories of changes"
  case numbersTakenBack = "generating the numbers that a rollback took back"
  case textsWithNUL = "texts with NUL characters"
}

/// The cause of an error: the engine lacks a capability.
package struct MissingCapability: Error {
  package let capability: Capability

  package init(_ capability: Capability) { self.capability = capability }
}

extension Dialect {
  /// Throws if a class needs a capability that the engine lacks.
  ///
  /// - Parameters:
  ///   - name: The name of the class.
  ///   - capabilities: The capabilities that its table needs.
  ///   - catalog: The engine.
  /// - Throws: `.invalidClass` with the name of the capability.
  package func check(
    _ name: String, needing capabilities: [Capability], _ catalog: any Catalog
  ) throws(VaultError) {
    guard let missing = capabilities.first, !catalog.hasTriggers else { return }
    throw VaultError(
      .invalidClass,
      "Class '\(name)' cannot be stored: \(engineName) does not support \(missing.rawValue). "
        + "Declare the class without it.",
      underlying: MissingCapability(missing))
  }

  /// Returns a column as it is read: the content of a shared one.
  ///
  /// - Throws: `.invalidCondition` if the engine does not share contents.
  package func read(_ column: String, isShared: Bool) throws(VaultError) -> String {
    isShared ? try required(content(ofShared: column), .sharedContents) : column
  }

  /// Returns a value as it is compared with a column that may be shared.
  ///
  /// - Throws: `.invalidCondition` if the engine does not share contents.
  package func compared(_ value: String, isShared: Bool) throws(VaultError) -> String {
    isShared ? try required(shared(value), .sharedContents) : value
  }

  /// Returns a value as it is stored in a column that may be shared.
  ///
  /// - Throws: `.invalidCondition` if the engine does not share contents.
  package func stored(_ value: String, isShared: Bool) throws(VaultError) -> String {
    isShared ? try required(sharing(value), .sharedContents) : value
  }

  /// Returns the parameter that follows those written so far, which is the one with this number.
  package func nextParameter(_ number: Int) -> String {
    numbersParameters ? parameter(number) : "?"
  }

  /// Returns the SQL of a capability that the engine has.
  ///
  /// - Parameters:
  ///   - sql: The SQL.
  ///   - capability: The capability that it needs.
  /// - Returns: The SQL.
  /// - Throws: `.invalidCondition` with the name of the capability if the SQL is `nil`.
  package func required(
    _ sql: String?, _ capability: Capability
  ) throws(VaultError) -> String {
    if let sql { return sql }
    throw VaultError(
      .invalidCondition,
      "\(engineName) does not support \(capability.rawValue). Write the query without it, or select "
        + "the objects in the program.",
      underlying: MissingCapability(capability))
  }
}
