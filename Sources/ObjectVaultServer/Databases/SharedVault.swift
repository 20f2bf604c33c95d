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
  private let opening = Locked(())

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
    guard (1...64).contains(configuration.maximumReaders) else {
      throw VaultError(
        .invalidArgument, "The configuration's maximumReaders must be from 1 to 64.")
    }
    guard configuration.timeLimit > .zero, configuration.timeLimit <= .seconds(86_400) else {
      throw VaultError(
        .invalidArgument, "The configuration's timeLimit must be from 0 to 86,400 seconds.")
    }
    guard configuration.replicaTimeLimit >= .zero else {
      throw VaultError(
        .invalidArgument, "The configuration's replicaTimeLimit must not be negative.")
    }
    guard !configuration.schema.isEmpty, configuration.schema.utf8.count <= 63,
      !configuration.schema.utf8.contains(0), !configuration.schema.hasPrefix("pg_"),
      configuration.schema != "objectvault"
    else {
      throw VaultError(
        .invalidArgument,
        "The configuration's schema must have a name of 1 to 63 bytes that is not reserved.")
    }
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
  public func close() { _ = handle.becomeClosed() }

  package func openNow() throws -> any OpenDatabase {
    try opening.withLock { _ in
      if let open = try handle.current() { return open }
      let database = try ServerDatabase.shared(address, configuration)
      handle.becomeOpen(database)
      return try handle.current() ?? database
    }
  }

  package func willUpgrade(on session: Session) throws {}
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
