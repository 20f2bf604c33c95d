public import ObjectVaultModel

extension Ref {
  /// Returns the referenced object, or `nil` if it is not stored.
  ///
  /// - Throws: The errors of ``ObjectStore/find(_:)-(T.ObjectIDType)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func object(in database: any Database) throws -> T? {
    try database.store(of: T.self).find(id)
  }
}
