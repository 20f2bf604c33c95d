import ObjectVaultSession

extension OpenDatabase {
  /// Calls `body` in a read scope that caches objects and reads each one once.
  ///
  /// Nothing is cached in a transaction, or in memory, which has no snapshots.
  ///
  /// - Parameters:
  ///   - limit: The largest number of cached objects; `nil` for a scope without a cache of its own.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, and errors of beginning the scope.
  func readScope<R>(keepingObjects limit: Int?, _ body: () throws -> R) throws -> R {
    guard let limit else { return try readScope(body) }
    return try readScope {
      guard limit > 0, !sessions.writerLock.isHeldByCurrentThread,
        let scope = sessions.currentScope, scope.identityMap == nil
      else { return try body() }
      let map = IdentityMap(sessions, scope.session, limit: limit)
      let thread = ThreadState.current
      let outer = thread.objects
      (scope.identityMap, thread.objects) = (map, map)
      defer { (scope.identityMap, thread.objects) = (nil, outer) }
      return try body()
    }
  }
}

extension ReadScope {
  /// The cached objects, if the scope caches them.
  fileprivate(set) var identityMap: IdentityMap? {
    get { objects.map { unsafeDowncast($0, to: IdentityMap.self) } }
    set { objects = newValue }
  }
}

extension ThreadState {
  /// The identity map of the innermost caching read scope.
  @inline(__always)
  var identityMap: IdentityMap? { objects.map { unsafeDowncast($0, to: IdentityMap.self) } }
}
