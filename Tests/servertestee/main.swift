import Foundation
import ObjectVaultConformance
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultServer

/// Serves the fixtures from a PostgreSQL server: each path of a fixture is a schema.
///
/// The address of the server is the only argument. Scripts/server starts a server and passes it.

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("servertestee: \(message)\n".utf8))
  exit(1)
}

guard CommandLine.arguments.count == 2 else { fail("usage: servertestee ADDRESS") }
let address = CommandLine.arguments[1]

/// Returns the name of the schema for a path: a number of the process, and a digest of the path.
@Sendable func schema(_ path: String) -> String {
  var digest: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in path.utf8 { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
  return "case_\(String(digest, radix: 36))"
}

let opening = DatabaseOpening(engine: "PostgreSQL") { path in
  var configuration = SharedVaultConfiguration()
  configuration.schema = schema(path)
  configuration.sealingKeys = try SealingKeys(Secret(utf8: "the sealing key of the fixtures!"))
  return try SharedVault(at: address, configuration: configuration)
} close: { database in
  (database as? SharedVault)?.close()
} contents: { database, table in
  try database.opened().read { session in
    let schema = Schema(on: session)
    let columns = try schema.columns(of: table).map { SQL.quoted($0.name) }
    var order: [String] = []
    if let description = try SystemTables(session).description(ofTable: table) {
      order = try schema.insertionOrder(of: description)
    }
    let sql =
      "SELECT \(columns.joined(separator: ", ")) FROM \(SQL.quoted(table)) "
      + "ORDER BY \((order + ["1"]).joined(separator: ", "))"
    return try session.with(sql) { statement in
      try statement.rows { row in columns.indices.map { row.storedValue(at: $0) } }
    }
  }
}

do {
  try ServeLoop(LibraryTestee(opening: opening), input: 0, output: 1).run()
} catch {
  fail("\(error)")
}
