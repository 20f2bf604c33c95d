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
