import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSession
import TestSupport
import Testing

import ObjectVaultServer

/// Roles of a database that try to run code with the rights of a program.
@Suite("Functions of other roles on a PostgreSQL server", .enabled(if: OwnServer.isPossible))
struct ServerTrustTests {
  private let note = ClassDescription(
    "Note",
    properties: [PropertyDescription("id", Int.self), PropertyDescription("text", String.self)],
    objectID: ["id"])

  private func vault(
    _ server: OwnServer, as role: String, schema: String, database: String = "postgres"
  ) throws -> SharedVault {
    var configuration = SharedVaultConfiguration()
    configuration.schema = schema
    let address = server.address.replacing("user=vault", with: "user=\(role)")
      .replacing("dbname=postgres", with: "dbname=\(database)")
    return try SharedVault(at: address, configuration: configuration)
  }

  private func store(_ vault: SharedVault) throws -> ObjectStore<DynamicObject> {
    let store = try vault.store(of: note)
    var object = try DynamicObject(of: note)
    try object.set("id", to: .integer(Int64(try store.count()) + 1))
    try object.set("text", to: .text("A"))
    try store.insert(object)
    return store
  }

  @Test("rows that row security hides are neither lost by an upgrade nor left out of a copy")
  func hiddenRows() throws {
    let server = try OwnServer()
    try server.execute("CREATE ROLE app LOGIN")
    try server.execute("GRANT CREATE ON DATABASE postgres TO app")
    func vault() throws -> SharedVault { try self.vault(server, as: "app", schema: "school") }
    let first = try vault()
    for _ in 0..<2 { _ = try store(first) }
    first.close()
    try server.execute(
      "ALTER TABLE school.\"Note\" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY")
    try server.execute("CREATE POLICY own ON school.\"Note\" USING (id = 1)")
    let second = try vault()
    defer { second.close() }
    #expect(try second.store(of: note).count() == 1)
    let changed = ClassDescription(
      "Note", properties: [note.properties[0], PropertyDescription("text", Data.self)],
      objectID: ["id"])
    for use in [
      { _ = try second.store(of: changed) }, { _ = try second.rehearseMigration(of: [note]) },
      { _ = try ObjectTransfer(from: second, to: try Vault.inMemory()).run() },
    ] {
      let error = try #require(throws: VaultError.self) { try use() }
      #expect(error.message.contains("row-level security"), "\(error)")
    }
    try server.execute("ALTER TABLE school.\"Note\" NO FORCE ROW LEVEL SECURITY")
    let texts = try second.store(of: note).all().map { try $0.value(of: "text") }
    #expect(texts == [.text("A"), .text("A")])
  }

  @Test("in the schema of the tables are never called") func schemaOfTables() throws {
    let server = try OwnServer()
    for role in ["app", "other"] { try server.execute("CREATE ROLE \(role) LOGIN") }
    try server.execute("GRANT CREATE ON DATABASE postgres TO app")
    try server.execute("CREATE SCHEMA school AUTHORIZATION app")
    try server.execute("GRANT USAGE, CREATE ON SCHEMA school TO other")
    func function(_ head: String) throws {
      try server.execute(
        "SET ROLE other; CREATE FUNCTION school.\(head) LANGUAGE plpgsql AS $$ "
          + "BEGIN RAISE 'called'; END $$")
    }
    try function("ov_begin_schema_version() RETURNS bigint")
    try function("ov_fold(value text, options bigint) RETURNS text")
    try function("ov_number(series regclass, given bigint) RETURNS bigint")
    try function("ov_cmp(i bigint, d double precision) RETURNS integer")
    try function("ov_add(a bigint, b bigint) RETURNS bigint")
    try function("ov_pattern(pattern text) RETURNS text")
    try function("ov_sum(s numeric) RETURNS numeric")
    try function("ov_uppercase(value text) RETURNS text")
    let vault = try vault(server, as: "app", schema: "school")
    defer { vault.close() }
    let notes = try store(vault)
    for condition in [
      "text ==[c] 'a'", "id + 1 > 1", "id > 0.5", "text LIKE 'a%'", "uppercase(text) == 'A'",
    ] {
      #expect(try notes.where(condition).count() == 1, "\(condition)")
    }
    #expect(try notes.where("id > 0").sum(of: "id", as: Int.self) == 1)
    try vault.removeStore(named: "Note")
  }

  @Test("in the schema of the library are not called if the owner has no other rights")
  func schemaOfLibrary() throws {
    let server = try OwnServer()
    for role in ["app", "other", "reader"] { try server.execute("CREATE ROLE \(role) LOGIN") }
    try server.execute("GRANT CREATE ON DATABASE postgres TO app, other")
    let other = try vault(server, as: "other", schema: "others")
    defer { other.close() }
    #expect(try store(other).count() == 1)
    try server.execute("GRANT USAGE ON SCHEMA objectvault TO PUBLIC")
    try server.execute("GRANT SELECT ON objectvault.functions TO PUBLIC")
    func check(_ role: String, isAccepted: Bool) throws {
      let vault = try vault(server, as: role, schema: "school")
      defer { vault.close() }
      if isAccepted {
        _ = try store(vault)
      } else {
        let error = try #require(throws: VaultError.self) { _ = try store(vault) }
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains("belongs to the user 'other'"))
      }
    }
    try check("app", isAccepted: false)
    // A superuser has the rights of every role.
    try check("vault", isAccepted: false)
    #expect(throws: OwnServer.Failure.self) {
      try server.execute("SELECT 'school'::regnamespace")
    }
    try server.execute("GRANT other TO app")
    try check("app", isAccepted: true)
    try server.execute("REVOKE other FROM app")
    try check("app", isAccepted: false)
    // A role with few rights uses the tables of the owner.
    try server.execute("GRANT USAGE ON SCHEMA others TO reader")
    try server.execute("GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA others TO reader")
    let reader = try vault(server, as: "reader", schema: "others")
    defer { reader.close() }
    #expect(try reader.store(of: note).count() == 1)
    try server.execute("ALTER DATABASE postgres OWNER TO other")
    try check("app", isAccepted: true)
    try check("vault", isAccepted: true)
  }
}
