internal import CPostgreSQL
import ObjectVaultDriver

/// The address of a database on a server.
struct ServerAddress: Sendable, Hashable {
  private let keywords: [String]
  private let values: [String]
  /// The schema with the tables.
  let schema: String
  /// The address for messages, without the password.
  let name: String

  /// Reads an address.
  ///
  /// - Parameters:
  ///   - text: A URL or a list of `keyword=value`, as PostgreSQL's documentation describes them in
  ///     "Connection Strings".
  ///   - schema: The schema with the tables.
  ///   - security: The protection of the connection.
  /// - Throws: ``VaultError`` `.invalidArgument` for another text.
  init(_ text: String, schema: String, security: SharedVaultConfiguration.Security)
    throws(VaultError)
  {
    var message: UnsafeMutablePointer<CChar>?
    guard !text.utf8.contains(0), let options = PQconninfoParse(text, &message) else {
      PQfreemem(message)
      throw VaultError(
        .invalidArgument,
        "The address of the server is not valid. Use the form 'postgresql://user@host/database'.")
    }
    defer { PQconninfoFree(options) }
    var given: [String: String] = [:]
    var next = options
    while let keyword = next.pointee.keyword {
      if let value = next.pointee.val { given[String(cString: keyword)] = String(cString: value) }
      next += 1
    }
    let hosts = (given["host"] ?? "").split(separator: ",").map(String.init)
    let isLocal = given["hostaddr"] == nil && hosts.allSatisfy { $0.hasPrefix("/") }
    if !isLocal, security == .verified {
      given["sslmode"] = "verify-full"
      given["channel_binding"] = given["channel_binding"] ?? "prefer"
    }
    given["client_encoding"] = "UTF8"
    given["application_name"] = given["application_name"] ?? "objectvault"
    given["connect_timeout"] = given["connect_timeout"] ?? "10"
    given["keepalives_idle"] = given["keepalives_idle"] ?? "10"
    given["keepalives_interval"] = given["keepalives_interval"] ?? "5"
    given["keepalives_count"] = given["keepalives_count"] ?? "3"
    given["tcp_user_timeout"] = given["tcp_user_timeout"] ?? "20000"
    given["target_session_attrs"] = given["target_session_attrs"] ?? "read-write"
    keywords = given.keys.sorted()
    values = keywords.map { given[$0] ?? "" }
    self.schema = schema
    let place = hosts.isEmpty ? "" : hosts.joined(separator: ",")
    name =
      "postgresql://\(place)/\(given["dbname"] ?? given["user"] ?? "")"
      + (schema == "public" ? "" : "#\(schema)")
  }

  /// Returns the value of a keyword; `nil` if the address leaves it to the client library.
  func setting(_ keyword: String) -> String? {
    keywords.firstIndex(of: keyword).map { values[$0] }
  }

  /// Returns a new connection, which may have failed.
  func connect() -> OpaquePointer? {
    func withPointers<R>(
      _ texts: ArraySlice<String>, _ before: [UnsafePointer<CChar>?],
      _ body: ([UnsafePointer<CChar>?]) -> R
    ) -> R {
      guard let first = texts.first else { return body(before + [nil]) }
      return first.withCString { withPointers(texts.dropFirst(), before + [$0], body) }
    }
    return withPointers(keywords[...], []) { keywords in
      withPointers(values[...], []) { PQconnectdbParams(keywords, $0, 0) }
    }
  }
}
