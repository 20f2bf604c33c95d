/// The place of a shared vault, as the command line names it.
public struct SharedVaultPlace: Sendable, Hashable {
  /// The address of the database.
  public let address: String
  /// The schema with the tables.
  public let schema: String
  /// Whether a connection without TLS or without a verified certificate is accepted.
  public let isUnprotected: Bool
  /// Whether the schema must exist. Otherwise it is created if it is missing.
  public let mustExist: Bool
}
