import ObjectVaultConformanceFormat
import ObjectVaultCore

extension LibraryCase {
  func performSQL(
    _ operation: FixtureOperation, _ arguments: RequestArguments
  ) throws -> FixtureValue? {
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
