internal import CPostgreSQL
import ObjectVaultDriver

/// The address of a database on a server.
struct ServerAddress: Sendable, Hashable {
  private let settings: [String: String]
  /// The servers, in the order of the address.
  let hosts: [ServerHost]
  /// The schema with the tables.
  var schema: String
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
    guard !Self.showsPassword(given, isURL: text.hasPrefix("postgres")) else {
      throw VaultError(
        .invalidArgument,
        "The address of the server is not valid. Write '@' as '%40' and '/' as '%2F' in the user and "
          + "the password, or use a password file.")
    }
    hosts = ServerHost.list(given)
    if security == .verified {
      // A connection over a socket of this machine ignores this.
      given["sslmode"] = "verify-full"
      // Encryption by Kerberos would be preferred to TLS.
      given["gssencmode"] = "disable"
    }
    given["client_encoding"] = "UTF8"
    given["application_name"] = given["application_name"] ?? "objectvault"
    given["keepalives_idle"] = given["keepalives_idle"] ?? "10"
    given["keepalives_interval"] = given["keepalives_interval"] ?? "5"
    given["keepalives_count"] = given["keepalives_count"] ?? "3"
    given["tcp_user_timeout"] = given["tcp_user_timeout"] ?? "20000"
    given["target_session_attrs"] = given["target_session_attrs"] ?? "read-write"
    settings = given
    self.schema = schema
    let names = hosts.compactMap { $0.host ?? $0.address }
    name =
      "postgresql://\(names.joined(separator: ","))/\(given["dbname"] ?? given["user"] ?? "")"
      + (schema == "public" ? "" : "#\(schema)")
  }

  /// Returns whether a part of the password may have become another part of the address, which
  /// messages contain.
  ///
  /// In a URL, the client library ends a password at its first '@', and takes what is before the
  /// first '/' for a host and a port.
  private static func showsPassword(_ given: [String: String], isURL: Bool) -> Bool {
    guard isURL else { return false }
    // The name of an abstract socket begins with '@'.
    let hosts = (given["host"] ?? "").split(separator: ",").map { $0.dropFirst() }
    let isPort = (given["port"] ?? "").utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2C }
    return !isPort || hosts.contains { $0.contains("@") }
      || given["dbname"]?.contains("@") == true
  }

  /// Returns the value of a keyword; `nil` if the address leaves it to the client library.
  func setting(_ keyword: String) -> String? { settings[keyword] }

  /// Returns a new connection, which may have failed.
  ///
  /// - Parameters:
  ///   - hosts: The servers in the order in which they are tried.
  ///   - replica: Whether a replica is preferred to the primary.
  ///   - timeLimit: The longest time for one call. Half of it is for trying all servers, unless the
  ///     address says otherwise.
  /// - Returns: The connection of the client library.
  func connect(
    to hosts: [ServerHost], preferringReplicas replica: Bool, timeLimit: Duration
  ) -> OpaquePointer? {
    var settings = settings
    for keyword in ["host", "hostaddr", "port"] { settings[keyword] = nil }
    settings.merge(ServerHost.settings(hosts)) { $1 }
    if replica { settings["target_session_attrs"] = "prefer-standby" }
    // The client library waits for ever for 0 and a negative number.
    if Int(settings["connect_timeout"] ?? "") ?? 0 <= 0 {
      let seconds = timeLimit / .seconds(1) / Double(2 * hosts.count)
      // The client library has no shorter one than 2 seconds.
      settings["connect_timeout"] = String(Int(min(max(seconds, 2), 10)))
    }
    let keywords = settings.keys.sorted()
    func withPointers<R>(
      _ texts: ArraySlice<String>, _ before: [UnsafePointer<CChar>?],
      _ body: ([UnsafePointer<CChar>?]) -> R
    ) -> R {
      guard let first = texts.first else { return body(before + [nil]) }
      return first.withCString { withPointers(texts.dropFirst(), before + [$0], body) }
    }
    let values = keywords.map { settings[$0] ?? "" }
    return withPointers(keywords[...], []) { keywords in
      withPointers(values[...], []) { PQconnectdbParams(keywords, $0, 0) }
    }
  }
}
