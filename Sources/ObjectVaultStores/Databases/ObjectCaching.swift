import ObjectVaultDriver

/// Whether a read scope caches the objects that it reads.
///
/// A scope that does is an identity map: a repeated read returns the same instance of a class, or
/// the same value of a struct, without reading the file. It applies to `find`, `all`, `first`,
/// `forEach`, cursors, pages, matches and following references. It belongs to the scope and not to
/// the vault, so it is never out of date and two threads never share an object. It ends with the
/// scope.
///
/// - All code inside the scope shares an instance: a change to it is visible to all, whether it is
///   saved or not. Saving inside does not change what the scope reads.
/// - Nothing is cached or taken from the cache inside a transaction, by stores of a partition, by
///   stores that omit owned objects of their class, or for rows of SQL. A vault in memory caches
///   nothing.
/// - Owned objects are those of their owner and are not looked up in the cache. An object that has
///   owned objects and an object ID that is not a number is recognised only by `find` of a single
///   object.
/// - A scope inside another caching scope is part of that scope and uses its limit.
///
/// ```swift
/// let towns = try vault.read(caching: .objects(10_000)) { try townsOfAllStudents() }
/// ```
public struct ObjectCaching: Sendable, Hashable {
  /// The largest number of cached objects; `nil` for a scope that caches none of its own.
  private let limit: Int?

  /// The scope caches nothing.
  public static let none = ObjectCaching(limit: nil)

  /// The scope caches objects.
  ///
  /// - Parameter limit: The largest number of cached objects of all classes together. When one more
  ///   is read, all are released first. 0 disables the cache.
  /// - Returns: The value for ``Database/read(caching:_:)-(_,()->R)``.
  public static func objects(_ limit: Int) -> ObjectCaching { ObjectCaching(limit: limit) }

  /// Returns the limit.
  ///
  /// - Returns: The limit; `nil` without a cache.
  /// - Throws: `.invalidArgument` for a negative number.
  func checkedLimit() throws(VaultError) -> Int? {
    guard limit ?? 0 >= 0 else {
      throw VaultError(
        .invalidArgument,
        "The number of objects that a read scope caches is negative. Use 0 or more.")
    }
    return limit
  }
}
