// Former names, which stay for one release.

extension Database {
  /// Runs `body` in a read scope that caches objects.
  @available(*, deprecated, message: "Use 'read(caching: .objects(…)) { … }'.")
  @available(*, noasync, message: "Use 'try await read(caching: .objects(…)) { … }'.")
  @discardableResult
  public func read<R>(keepingObjects limit: Int, _ body: () throws -> R) throws -> R {
    try read(caching: .objects(limit), body)
  }
}
