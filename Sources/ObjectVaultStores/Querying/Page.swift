import ObjectVaultDriver
import ObjectVaultSession

/// One page of a result that is divided into pages of equal size.
///
/// ```swift
/// let page = try students.sorted(by: "name").page(number: 2, size: 20)
/// print("Page \(page.number) of \(page.totalPages)")
/// ```
public struct Page<Item> {
  /// The items of the page: ``size`` items, fewer on the last page, none beyond it.
  public var items: [Item]
  /// The number of the page, counted from 1.
  public var number: Int
  /// The number of items on a full page.
  public var size: Int
  /// The number of items on all pages.
  public var totalItems: Int

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - items: The items of the page.
  ///   - number: The number of the page, counted from 1.
  ///   - size: The number of items on a full page, at least 1.
  ///   - totalItems: The number of items on all pages.
  public init(items: [Item], number: Int, size: Int, totalItems: Int) {
    self.items = items
    self.number = number
    self.size = size
    self.totalItems = totalItems
  }

  /// The number of pages; 0 without items.
  public var totalPages: Int {
    guard size > 0, totalItems > 0 else { return 0 }
    return (totalItems - 1) / size + 1
  }

  /// Whether another page follows this one.
  public var hasNext: Bool { number < totalPages }
}

extension Page: Sendable where Item: Sendable {}
extension Page: Equatable where Item: Equatable {}
extension Page: Hashable where Item: Hashable {}

extension Query {
  /// Returns one page of the objects and their total number, read from one snapshot.
  ///
  /// The pages divide the objects of the query, including its range. Sort the query: pages in
  /// insertion order shift if objects are removed.
  ///
  /// - Parameters:
  ///   - number: The number of the page, counted from 1. A page beyond the last one is empty.
  ///   - size: The number of objects on a page.
  /// - Returns: The page.
  /// - Throws: ``VaultError`` `.invalidArgument` for a number or size below 1.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func page(number: Int, size: Int) throws -> Page<T> {
    guard number >= 1, size >= 1 else {
      throw VaultError(
        .invalidArgument,
        "The number or the size of the page is less than 1. Count pages from 1, with at least one "
          + "object on each.")
    }
    return try store.database.opened().readScope {
      let total = try count()
      let (start, overflows) = (number - 1).multipliedReportingOverflow(by: size)
      guard !overflows, start < total else {
        return Page(items: [], number: number, size: size, totalItems: total)
      }
      let items = try range(offset: offset + start, length: Swift.min(size, total - start)).all()
      return Page(items: items, number: number, size: size, totalItems: total)
    }
  }
}

extension ObjectStore {
  /// Returns one page of all objects; see ``Query/page(number:size:)-(Int,Int)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func page(number: Int, size: Int) throws -> Page<T> {
    try query.page(number: number, size: size)
  }
}
