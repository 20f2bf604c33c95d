public import ObjectVaultCondition

/// The statements of an engine that read and change its schema, and that begin transactions.
///
/// Parameters are written `?1`, `?2`. Each statement that reads returns the columns that its
/// declaration lists.
@usableFromInline
package protocol Catalog: Sendable {
  // MARK: Transactions

  /// Begins a transaction that writes.
  var begin: StatementText { get }
  /// Begins a transaction whose reads see one snapshot.
  var beginReading: StatementText { get }
  /// Reads anything, so that the snapshot of the transaction is taken.
  var firstRead: StatementText { get }
  /// Returns a number that changes with the schema.
  var schemaVersion: StatementText { get }
  /// Allows references to lack their rows until the commit.
  var deferReferences: String { get }
  /// Checks all references, and those of each later statement at its end; `nil` if the engine
  /// always waits for the commit.
  var enforceReferences: String? { get }

  /// Makes statements of the transaction fail in place of leaving out rows that the user may not
  /// read; `nil` if the engine has no such rows.
  var requireAllRows: String? { get }

  // MARK: Reading

  /// Returns the name of the table with the name `?1`, where A-Z equal a-z; the same name if a
  /// table has it.
  var tableNamed: String { get }
  /// Returns the names of all tables, except those of the engine and of the library, in order.
  var tables: String { get }
  /// Returns the names of everything with the prefix that is reserved for the library.
  var ownNames: String { get }
  /// Returns the names of the tables that have triggers; `nil` if stores need not know them.
  var triggeredTables: String? { get }
  /// Returns the names of the tables and views that have triggers, in order; `nil` if stores need
  /// not know them.
  var triggeredObjects: String? { get }
  /// Returns the name and the definition of the objects of type `?1` of table `?2`, in the order of
  /// their creation.
  var objectsOfTable: String { get }
  /// Returns the name and the definition of all objects of type `?1`, in the order of their
  /// creation.
  var objects: String { get }
  /// Returns the name and the definition of table `?1`.
  var definition: String { get }
  /// Returns the name of all tables whose columns may have a collation, and a definition of them in
  /// the SQL of SQLite that need not have other columns.
  var collatedTables: String { get }

  /// Returns a row for each column: position, name, type, whether it is required, its default, and
  /// its position in the primary key from 1, or 0.
  ///
  /// The type is one of SQLite's.
  func columns(of table: String) -> String

  /// Returns a row for each column of a foreign key: the number of the key, the position of the
  /// column, the target table, the column, the target column, and the actions of an update and a
  /// deletion.
  ///
  /// The keys are in the reverse order of their declaration.
  func foreignKeys(of table: String) -> String

  /// The statements for the foreign keys of all tables.
  var foreignKeys: AllForeignKeys { get }

  /// Returns a row for each column of a constraint, by constraint: its name, its kind, the column,
  /// and the condition of a check as the engine writes it; `nil` for an engine that does not name
  /// constraints.
  ///
  /// The kind is `p` for a primary key, `f` for a foreign key, `u` for a unique constraint and `c`
  /// for a check.
  func constraints(of table: String) -> String?

  /// Returns a row for each index: position, name, whether it is unique, its origin, which is `pk`
  /// for a primary key, and whether it is partial.
  func indexes(of table: String) -> String

  /// Returns a row for each column of an index: its position, its number, and its name, which is
  /// NULL for an expression.
  func columns(ofIndex index: String) -> String

  // MARK: Rows

  /// The column that numbers the rows of each table that the library creates; `nil` if every table
  /// of the engine has such a number.
  var orderColumn: String? { get }

  /// Returns a statement that returns the name of ``orderColumn`` if a table has it; `nil` for an
  /// engine without such a column.
  func presentOrderColumn(of table: String) -> String?

  /// The type of ``orderColumn``.
  var orderType: String { get }

  /// Returns the statements that number the rows of a table by an integer column.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - column: The name of the column, which has another value in each row.
  /// - Returns: The statements; none for an engine without ``orderColumn``.
  func order(_ table: String, by column: String) -> [String]

  // MARK: Defining

  /// Returns a value as SQL text, or `nil` if SQL text cannot express it.
  func literal(_ value: StoredValue) -> String?

  /// Returns the affinity of a present column of a type: which of SQLite's types its values have.
  ///
  /// - Parameter type: The type, as ``columns(of:)`` returns it.
  /// - Returns: The affinity; empty if no property can be stored so; `nil` for the affinity by
  ///   SQLite's rules.
  func affinity(ofColumn type: String) -> String?

  /// Returns the type of a column from one of SQLite's.
  func columnType(_ type: String) -> String

  /// Returns the type of a column for the values of a property.
  ///
  /// - Parameters:
  ///   - type: The type that the property declares for SQLite.
  ///   - property: The type of the values.
  /// - Returns: A type that stores each value exactly.
  func columnType(_ type: String, of property: PropertyType) -> String

  /// The type and constraints of a column with generated object IDs.
  var generatedKey: String { get }

  /// The part of a property's column that lets the engine generate numbers for it as the key, with
  /// a leading space.
  var numbered: String { get }

  /// The ending of a table whose rows are kept by their primary key, with a leading space.
  var withoutRowNumbers: String { get }

  /// Whether a foreign key needs its target table when it is declared.
  var needsReferencedTables: Bool { get }

  /// The time of the check of a foreign key, as an ending of its declaration.
  var referenceTiming: String { get }

  /// Returns a condition that the length of a value is at most `limit`, in characters or bytes.
  func isAtMost(_ limit: Int, _ value: String, countsBytes: Bool) -> String

  /// The greatest length of a name, in bytes of UTF-8; `nil` without a limit.
  var longestName: Int? { get }

  /// Returns the reason that the engine cannot store a table or a column with a name, after "the name
  /// of its …"; `nil` if it can.
  func problem(withName name: String, ofColumn isColumn: Bool) -> String?

  /// Returns the kind of an object other than a table that prevents a table with the name `?1`, such
  /// as a view; `nil` if the tables of the engine share their names with no other objects.
  var occupant: String? { get }

  /// Returns the statements that create a trigger.
  ///
  /// The schema then lists the trigger with its ``ClearingTrigger/definition``.
  func make(_ trigger: ClearingTrigger) -> [String]

  /// Returns the statement that drops a trigger of ``make(_:)`` if it exists.
  func dropTrigger(_ name: String) -> String

  /// Whether tables can have the triggers of full-text indexes, shared contents and histories.
  var hasTriggers: Bool { get }

  // MARK: Changing

  /// The time at the start of a statement, in seconds since 1970, rounded to milliseconds.
  var now: String { get }

  /// Whether the engine generates the numbers of rows again that a transaction inserted and rolled
  /// back.
  var takesNumbersBack: Bool { get }

  /// Returns a statement that prevents the engine from generating numbers up to `?1` for a column,
  /// or generates one if `?1` is NULL; `nil` if the sequences of SQLite do.
  func raising(_ table: String, _ column: String) -> String?

  /// Returns a statement that reads the highest number that was generated for a column; `nil` if
  /// the sequences of SQLite record it.
  func recordedNumber(_ table: String, _ column: String) -> String?

  /// Returns the start of an update of rows, which leaves earlier rows changed if it fails.
  func updating(_ table: String) -> String

  /// Whether `ALTER TABLE` changes the types, the presence and the constraints of columns.
  var altersColumns: Bool { get }

  /// Whether the engine deletes referring rows to any depth.
  var cascadesToAnyDepth: Bool { get }

  // MARK: Temporary tables

  /// Returns the name of a temporary table, qualified so that it is no other table.
  func temporary(_ table: String) -> String

  /// Whether each column of a temporary table needs a type.
  ///
  /// Such an engine creates temporary tables when they are needed. For SQLite, the usual ones must
  /// exist before a transaction begins.
  var typesColumns: Bool { get }

  /// Returns a statement that creates a temporary table unless it exists.
  ///
  /// The types in `columns` are those of SQLite.
  func makeTemporary(_ table: String, _ columns: String) -> String

  /// Returns statements that create a temporary table for keys of a table, with the types and the
  /// collations of that table, in place of an existing one.
  ///
  /// - Parameters:
  ///   - table: The name of the temporary table. Its columns are `k0`, `k1` and so on, and `round`.
  ///   - source: The name of the table.
  ///   - key: The columns of the key, quoted.
  /// - Returns: The statements; `nil` if columns need no types.
  func makeTemporary(_ table: String, forKeysOf source: String, _ key: [String]) -> [String]?

  /// Returns an insertion of rows that omits those with a key that another row has.
  func insertingNew(into table: String, _ select: String) -> String

  /// The join of two tables of which the left one is read first.
  var orderedJoin: String { get }

  /// Whether a session that only reads can fill temporary tables.
  var fillsTemporaryTablesWhileReading: Bool { get }

  /// Whether a statement that lists a part of the schema lists it as of its compilation.
  var listsSchemaWhenCompiled: Bool { get }
}

/// The statements of an engine for the foreign keys of all tables.
@usableFromInline
package enum AllForeignKeys {
  /// Returns the columns of ``Catalog/foreignKeys(of:)`` and the name of the table, ordered by this
  /// name.
  ///
  /// The names of the target tables are spelled as in ``Catalog/tables``.
  case inOneStatement(String)
  /// Returns the names of the tables that refer to others, in order; each has a statement.
  case inStatementsOfTables(String)
}
