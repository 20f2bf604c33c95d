internal import CSQLCipher
package import ObjectVaultCondition
package import ObjectVaultDriver

// The requirements of `DriverConnection` that this type has under another name.

extension Connection {
  package func notingReadColumns<R>(
    _ note: @escaping (String) -> Void, _ body: () throws -> R
  ) rethrows -> R {
    let outer = onAuthorize
    defer { onAuthorize = outer }
    onAuthorize = { action in
      if action.isRead, action.schema == "main", let column = action.detail { note(column) }
      return outer?(action) ?? .allow
    }
    return try body()
  }

  package func addFunction(
    _ name: String, arguments: Int, _ body: @escaping ([StoredValue]) throws -> StoredValue
  ) throws(DriverError) {
    try register(function: name, arguments: Int32(arguments), deterministic: false) {
      given, result in
      switch try body((0..<given.count).map(given.storedValue(at:))) {
      case .null: result.setNull()
      case .integer(let value): result.set(value)
      case .real(let value): result.set(value)
      case .text(let value): result.set(value)
      case .blob(let bytes): bytes.withUnsafeBytes { result.set(bytes: $0) }
      }
    }
  }

  package func removeFunction(_ name: String, arguments: Int) {
    unregister(function: name, arguments: Int32(arguments))
  }

  package var catalog: any Catalog { SQLiteCatalog() }

  package var engineVersion: Int { Int(sqlite3_libversion_number()) }

  package func hasSearchModule(_ name: String) -> Bool {
    guard let engine = try? Engine.prove() else { return false }
    return switch name {
    case "fts4": engine.hasFTS4
    case "fts5": engine.hasFTS5
    default: false
    }
  }

  package func setting(_ name: String) throws(DriverError) -> String? { try pragma(name) }

  package func set(
    _ name: String, to value: String, expecting expected: String
  ) throws(DriverError) {
    try setPragma(name, to: value, expecting: expected)
  }
}
