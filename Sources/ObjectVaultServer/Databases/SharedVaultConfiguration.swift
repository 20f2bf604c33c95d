public import Logging
public import ObjectVaultFile
public import ObjectVaultKeys

/// The settings of a ``SharedVault``.
///
/// ```swift
/// var configuration = SharedVaultConfiguration()
/// configuration.schema = "school"
/// let address = "postgresql://app@db.example/registry"
/// let vault = try SharedVault(at: address, configuration: configuration)
/// ```
///
/// The vaults of a process with the same address and ``readPreference`` share connections. The time
/// limits, numbers of connections, keys and observation interval are those of the first of them.
public struct SharedVaultConfiguration: Sendable {
  /// The protection of the connection to a server.
  public enum Security: Sendable, Hashable {
    /// TLS with a verified certificate and host name, or a socket of this machine.
    case verified
    /// Any protection that the address and the server agree on, which can be none.
    case unprotected
  }

  /// The servers that answer reads outside of transactions.
  public enum ReadPreference: Sendable, Hashable {
    /// The primary, which has every commit.
    case primary
    /// A replica, or the primary if no replica can answer.
    ///
    /// A read has every commit of this process, and of other processes those that the replica has
    /// received, or that an observation in this process learned of. See
    /// ``SharedVaultConfiguration/replicaTimeLimit``.
    case replica
  }

  /// The servers that answer reads outside of transactions. The default is
  /// ``ReadPreference/primary``.
  public var readPreference = ReadPreference.primary
  /// The longest time to wait until a replica has the commits that a read must see, before the
  /// primary answers in its place, at most 86,400 seconds. The default is 500 milliseconds.
  public var replicaTimeLimit = Duration.milliseconds(500)
  /// The protection of connections. The default is ``Security/verified``.
  public var security = Security.verified
  /// The schema with the tables, which is created if it is missing. The default is `public`.
  ///
  /// Its name has at most 63 bytes and is used as it is: `School` is another schema than `school`.
  public var schema = "public"
  /// Whether a missing schema is created.
  package var createsSchema = true
  /// The greatest number of connections for calls that read, from 1 to 64. The default is 4.
  ///
  /// Each iteration outside of read scopes and transactions has one more, until it ends. The program
  /// must limit the number of iterations at a time to what the server's `max_connections` allows.
  public var maximumReaders = 4
  /// The longest time to wait for the server in one call, and for a free connection. The default is
  /// 30 seconds.
  public var timeLimit = Duration.seconds(30)
  /// The interval for detecting changes by other processes, from 0.01 to 86,400 seconds. The default
  /// is 500 milliseconds.
  public var observationInterval = Duration.milliseconds(500)
  /// The keys of sealed properties, whose values the server receives encrypted. The default is none,
  /// so that classes with sealed properties throw `.noKey`. The keys of the handle that opens the
  /// database first apply.
  public var sealingKeys: SealingKeys?
  /// The keys of properties that are sealed by a key that can be destroyed, in a file of this
  /// machine. The default is none, so that classes with such properties throw `.noKey`. The keys of
  /// the handle that opens the database first apply. See ``ErasableKeys``.
  public var erasableKeys: ErasableKeys?
  /// The receiver of log messages, which contain no values. The default is none.
  public var logger: Logger?

  /// Creates the default settings.
  public init() {}
}
