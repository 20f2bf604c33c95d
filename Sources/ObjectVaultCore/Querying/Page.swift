/// A page of something: a part of a whole that is divided into parts of equal size.
public struct Page<Item> {
  /// What is on the page: ``size`` of them, fewer on the last page, none beyond it.
  public var items: [Item]
  /// The number of the page, counted from 1.
  public var number: Int
  /// How many there are on a full page.
  public var size: Int
  /// How many there are on all pages together.
  public var totalItems: Int

  /// Makes a page.
  ///
  /// - Parameters:
  ///   - items: What is on it.
  ///   - number: Its number, counted from 1.
  ///   - size: How many there are on a full page, at least 1.
  ///   - totalItems: How many there are on all pages together.
  public init(items: [Item], number: Int, size: Int, totalItems: Int) {
    self.items = items
    self.number = number
    self.size = size
    self.totalItems = totalItems
  }

  /// How many pages there are; 0 where there is nothing.
  public var totalPages: Int {
    guard size > 0, totalItems > 0 else { return 0 }
    return (totalItems - 1) / size + 1
  }

  /// Whether there is a page after this one.
  public var hasNext: Bool { number < totalPages }
}

extension Page: Sendable where Item: Sendable {}
extension Page: Equatable where Item: Equatable {}
extension Page: Hashable where Item: Hashable {}

extension Query {
  /// The objects of one page, and how many there are in all, as of one moment.
  ///
  /// The pages divide what the query chooses, its range included. Sort by something: pages in the
  /// order of insertion move when objects are removed.
  ///
  /// - Parameters:
  ///   - number: The number of the page, counted from 1. A page beyond the last one is empty.
  ///   - size: How many objects are on a page.
  /// - Throws: ``VaultError`` `.invalidArgument` for a number or size below 1.
  public func page(number: Int, size: Int) throws -> Page<T> {
    guard number >= 1, size >= 1 else {
      throw VaultError(
        .invalidArgument, "Pages are counted from 1, and at least one object is on each.")
    }
    return try store.vault.file().readScope {
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
  /// One page of every object; see ``Query/page(number:size:)-(Int,Int)``.
  public func page(number: Int, size: Int) throws -> Page<T> {
    try query.page(number: number, size: size)
  }
}

extension Query where T: Sendable {
  /// The objects of one page, without blocking the caller's thread.
  public func page(number: Int, size: Int) async throws -> Page<T> {
    try await store.reading { try page(number: number, size: size) }
  }
}

extension ObjectStore where T: Sendable {
  /// One page of every object, without blocking the caller's thread.
  public func page(number: Int, size: Int) async throws -> Page<T> {
    try await query.page(number: number, size: size)
  }
}
