package import ObjectVaultEngine
package import ObjectVaultSession

extension Session {
  /// The connection of the engine.
  @inline(__always)
  package var engine: Connection {
    // Every session of a file has one.
    unsafeDowncast(connection, to: Connection.self)
  }
}
