import ObjectVaultDriver
package import ObjectVaultSession
public import ObjectVaultStores

/// A database of objects on a PostgreSQL server, which many machines share.
///
/// It offers the stores, queries and transactions of a vault. What belongs to a file, such as its
/// encryption, is a matter of the server.
///
/// Creating one does not contact the server: the first use does.
///
/// ```swift
/// let vault = try SharedVault(at: "postgresql://app@db.example/registry")
/// let students = try vault.store(of: Student.self)
/// ```
public final class SharedVault: DatabaseProvider {
  /// The state of the database in this process.
  public let handle: DatabaseHandle
  /// The settings.
  public let configuration: SharedVaultConfiguration
  private let address: ServerAddress
  /// The last failure to reach the database when it was opened.
  private let opening = Locked<(error: VaultError, time: ContinuousClock.Instant)?>(nil)

  /// Creates a handle on a database.
  ///
  /// - Parameters:
  ///   - address: The address of the database, a URL or a list of `keyword=value` as PostgreSQL's
  ///     documentation describes them in "Connection Strings". Pass the password by a password file
  ///     or a certificate.
  ///   - configuration: The settings.
  /// - Throws: ``VaultError`` `.invalidArgument` for an invalid address or a setting out of range.
  public convenience init(
    at address: String, configuration: SharedVaultConfiguration = SharedVaultConfiguration()
  ) throws {
    try configuration.validate()
    self.init(
      try ServerAddress(
        address, schema: configuration.schema, security: configuration.security), configuration)
  }

  private init(_ address: ServerAddress, _ configuration: SharedVaultConfiguration) {
    self.address = address
    self.configuration = configuration
    handle = DatabaseHandle(location: address.name, options: DatabaseOptions(configuration))
  }

  /// Returns a handle on another schema of the same database.
  func handle(onSchema schema: String) -> SharedVault {
    var (address, configuration) = (address, configuration)
    address.schema = schema
    configuration.schema = schema
    return SharedVault(address, configuration)
  }

  /// Closes the connections, so that every later operation fails.
  ///
  /// Operations in progress end first.
  public func close() {
    if handle.becomeClosed() { handle.events.post(.closed) }
  }

  deinit {
    if handle.end == nil { handle.events.post(.closed) }
  }

  package func openNow() throws -> any OpenDatabase {
    let start = ContinuousClock.now
    return try opening.withLock { failure in
      if let open = try handle.current() { return open }
      // This thread waited for an attempt. One of its own would make the next thread wait longer.
      if let failure, failure.time > start { throw failure.error }
      do {
        let database = try ServerDatabase.shared(address, configuration)
        handle.becomeOpen(database)
        return try handle.current() ?? database
      } catch let error as VaultError where [.cannotOpen, .connectionLost].contains(error.code) {
        failure = (error, .now)
        throw error
      }
    }
  }

  package func willUpgrade(on session: Session) throws {}
}

extension SharedVaultConfiguration {
  /// Throws `.invalidArgument` if a setting is out of range.
  func validate() throws(VaultError) {
    func check(_ holds: Bool, _ what: String) throws(VaultError) {
      if !holds { throw VaultError(.invalidArgument, "The configuration's \(what).") }
    }
    let day = Duration.seconds(86_400)
    try check((1...64).contains(maximumReaders), "maximumReaders must be from 1 to 64")
    try check(
      timeLimit > .zero && timeLimit <= day, "timeLimit must be from 0 to 86,400 seconds")
    try check(
      (.zero...day).contains(replicaTimeLimit), "replicaTimeLimit must be from 0 to 86,400 seconds")
    try check(
      (.milliseconds(10)...day).contains(observationInterval),
      "observationInterval must be from 0.01 to 86,400 seconds")
    // In a search path, `$user` is the name of the user, also between quotes.
    let reserved = ["objectvault", "information_schema", "$user"]
    try check(
      !schema.isEmpty && schema.utf8.count <= 63 && !schema.utf8.contains(0)
        && !schema.hasPrefix("pg_") && !reserved.contains(schema),
      "schema must have a name of 1 to 63 bytes that is not reserved")
  }
}

extension DatabaseOptions {
  /// Creates the options of a shared vault with this configuration.
  init(_ configuration: SharedVaultConfiguration) {
    self.init()
    logger = configuration.logger
    observationInterval = configuration.observationInterval
    // The dialect refuses them by name.
    allowsRegularExpressions = true
  }
}
