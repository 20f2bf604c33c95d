import Foundation
import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSession

/// A rule by which objects of a class expire at a date that they contain.
///
/// ```swift
/// configuration.expiry = [
///   try ExpiryRule(Session.self, at: \.validUntil),
///   try ExpiryRule(Message.self, at: \.received, after: .seconds(30 * 86_400)),
/// ]
/// ```
///
/// An expired object is an ordinary object until it is removed: when the vault is opened, or by
/// ``Database/removeExpired(by:at:batch:)``. An object without a date never expires.
public struct ExpiryRule: Sendable {
  /// The name of the class.
  public let className: String
  /// The name of the property that contains the date.
  public let property: String
  /// The time from that date until the object expires.
  public let delay: Duration
  private let store: @Sendable (any Database) throws -> Removal

  /// Removes at most a number of objects whose date is not after another date, except the first
  /// ones, and returns the number of those removed.
  private typealias Removal = (_ date: Date, _ skipped: Int, _ count: Int) throws -> Int

  /// Creates a rule from the name of a property.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - property: The name of a property of type `Date` or `Date?`. An index on it (`@Indexed`)
  ///     keeps the removal fast.
  ///   - delay: The time from the date until the object expires.
  /// - Throws: ``VaultError`` `.noSuchProperty`, and `.invalidArgument` if the property is no date or
  ///   is sealed.
  public init<T: StoredObject>(
    _ type: T.Type, at property: String, after delay: Duration = .zero
  ) throws {
    let description = T.classDescription
    guard let found = description.properties.first(where: { $0.name == property }) else {
      throw VaultError(
        .noSuchProperty,
        "The class '\(description.name)' has no property '\(property)' at which objects could "
          + "expire. Name a property of type Date.")
    }
    guard found.type == .date else {
      throw VaultError(
        .invalidArgument,
        "Objects of '\(description.name)' cannot expire at the property '\(property)', which is no "
          + "date. Name a property of type Date.")
    }
    guard found.sealing == nil else {
      throw VaultError(
        .invalidArgument,
        "Objects of '\(description.name)' cannot expire at the property '\(property)', which is "
          + "sealed, so the file cannot read its dates. Name a property that is not sealed.")
    }
    self.init(className: description.name, property: property, delay: delay) { database in
      let objects = try database.store(of: T.self)
      return { date, skipped, count in
        let expired = objects.where(Where(property).isAtMost(date))
        // A read waits for no writer.
        guard try expired.exists() else { return 0 }
        // In another order, an index on the date would not be used.
        return try expired.sorted(by: .ascending(property)).range(offset: skipped, length: count)
          .remove()
      }
    }
  }

  /// Creates a rule from a property of a class that `@Stored` describes.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - property: The key path of a property of type `Date` or `Date?`.
  ///   - delay: The time from the date until the object expires.
  /// - Throws: The errors of ``init(_:at:after:)-(_,String,_)``.
  public init<T: StoredObject>(
    _ type: T.Type, at property: PartialKeyPath<T>, after delay: Duration = .zero
  ) throws {
    try self.init(type, at: T.propertyNames[property] ?? "\(property)", after: delay)
  }

  private init(
    className: String, property: String, delay: Duration,
    store: @escaping @Sendable (any Database) throws -> Removal
  ) {
    (self.className, self.property, self.delay) = (className, property, delay)
    self.store = store
  }

  /// Removes the objects that have expired at a date, in transactions of at most `batch` objects.
  ///
  /// Objects that other objects hold remain, and do not keep those that expired after them.
  ///
  /// - Returns: The number of removed objects.
  /// - Throws: The errors of the store. After the removal of all others, the error of the first
  ///   object that remains.
  func removeExpired(from database: any Database, at date: Date, batch: Int) throws -> Int {
    let remove = try store(database)
    let latest = date.addingTimeInterval(-(delay / .seconds(1)))
    var (count, skipped, size) = (0, 0, batch)
    var failure: VaultError?
    while true {
      try Cancellation.check()
      do {
        let removed = try remove(latest, skipped, size)
        count += removed
        if removed < size { break }
        size = batch
      } catch let error as VaultError
        where [.removalDenied, .danglingReference].contains(error.code)
      {
        failure = failure ?? error
        // A smaller group finds the object that remains.
        if size > 1 { size /= 2 } else { skipped += 1 }
      }
    }
    if let failure { throw failure }
    return count
  }
}
