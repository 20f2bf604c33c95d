import ObjectVaultConformanceFormat
import ObjectVaultCore

extension LibraryCase {
  func performSQL(
    _ operation: FixtureOperation, _ arguments: RequestArguments
  ) throws -> FixtureValue? {
    if let opening = settings.opening {
      // The runner's own request for what is stored.
      let sql = try arguments.requiredText("sql")
      let table = String(sql.dropFirst("TABLE \"".count).dropLast()).replacing("\"\"", with: "\"")
      let rows = try opening.contents(try handle(arguments).database, table)
      return .list(rows.map { .list($0.map(FixtureValue.init(storageClass:))) })
    }
    let values = try arguments.list("values").map { value in
      guard let stored = value.storedValue() else {
        throw RequestProblem("The value of a statement cannot be a list or an object.")
      }
      return stored
    }
    let statement = SQLStatement(unchecked: try arguments.requiredText("sql"), values: values)
    let vault = try handle(arguments).vault
    if operation == .execute { return .integer(Int64(try vault.execute(statement))) }
    return .list(
      try vault.rows(statement).map { .list($0.values.map(FixtureValue.init(storageClass:))) })
  }
}
