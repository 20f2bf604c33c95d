import ObjectVaultCore
import TestSupport
import Testing

@Suite("Clauses run by a vault") struct ClauseVaultTests {
  @Test(
    "answer with rows and with how many changed, and change no vault opened for reading",
    .covers("P78", "P40", "P41"))
  func running() throws {
    let test = try TestVault()
    let vault = test.vault
    try vault.execute("CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT)")
    let insert = Insert(into: "users").values(["name": "Li", "id": 1])
    #expect(try vault.execute(insert) == 1)
    #expect(try vault.execute(Update("users").set("name", to: "Bo")) == 1)
    let names = Select("name").from("users").where { $0.id == 1 }
    #expect(try vault.rows(names).map { try $0.value("name", as: String.self) } == ["Bo"])
    #expect(try vault.row(names)?.value("name", as: String.self) == "Bo")
    #expect(try vault.value(names, as: String.self) == "Bo")
    try vault.validate(names)
    #expect(code { try vault.validate(Select("nme").from("users")) } == .engineRefused)
    #expect(code { _ = try vault.rows(Select().from("users").limit(-1)) } == .invalidArgument)
    #expect(code { try vault.execute(insert) } != nil)

    var configuration = VaultConfiguration()
    configuration.isReadOnly = true
    let reading = try test.another(configuration)
    #expect(try reading.rows(names).count == 1)
    for change in [insert.statement, Delete(from: "users").statement] {
      #expect(code { try reading.execute(change) } == .readOnly)
    }
    #expect(try vault.execute(Delete(from: "users").where { $0.name == "Bo" }) == 1)
    #expect(try vault.rows(names).isEmpty)
  }

  @Test("run without blocking the caller, and inside transactions")
  func asynchronous() async throws {
    let test = try TestVault()
    let vault = test.vault
    defer { withExtendedLifetime(test) {} }
    try await onOwnThread { try vault.execute("CREATE TABLE users(name TEXT)") }
    try await onOwnThread { try vault.execute(Insert(into: "users").values("Li").values("Bo")) }
    #expect(try await onOwnThread { try vault.rows(Select().from("users")).count } == 2)
    let count = Select(SQLExpression.count).from("users")
    #expect(try await onOwnThread { try vault.value(count, as: Int.self) } == 2)
    #expect(throws: VaultError.self) {
      try vault.transaction {
        try vault.execute(Delete(from: "users"))
        try vault.execute(Delete(from: "nothing"))
      }
    }
    #expect(try await onOwnThread { try vault.value(count, as: Int.self) } == 2)
  }

  @Test("run as the guide says")
  func guide() throws {
    let test = try TestVault()
    let vault = test.vault
    try vault.execute("CREATE TABLE students(name, age)")
    try vault.execute(Insert(into: "students").values("Li", 20).values("Al", 91))
    let adults = Select("name", "age").from("students").where { $0.age >= 18 }
    for row in try vault.rows(adults) { print(try row.value("name", as: String.self)) }
    try vault.execute(Delete(from: "students").where { $0.age > 90 })
    #expect(try vault.rows(adults).count == 1)
  }
}
