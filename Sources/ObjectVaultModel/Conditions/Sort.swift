package import ObjectVaultCondition
package import ObjectVaultDriver

/// A sort key: a property and a direction.
///
/// ```swift
/// let sorted = try students.sorted(by: "age", .descending("name", .caseInsensitive)).all()
/// ```
public struct Sort: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The position of `nil` in an order.
  public enum NilOrder: Sendable, Hashable, CaseIterable {
    /// Before all values, in either direction.
    case first
    /// After all values, in either direction.
    case last
  }

  /// The name of the property, as in Swift, or a path across associations such as `classroom.name`.
  public var property: String
  /// Whether the order is ascending.
  public var isAscending: Bool
  /// The differences to ignore in text; by default none, and text is ordered by its UTF-8 bytes.
  public var options: TextComparison
  /// The position of `nil`.
  ///
  /// By default, `nil` is smaller than all values: first in ascending order, last in descending
  /// order.
  public var nils: NilOrder?

  /// Returns an ascending sort key for a property.
  public static func ascending(
    _ property: String, _ options: TextComparison = [], nils: NilOrder? = nil
  ) -> Sort {
    Sort(property: property, isAscending: true, options: options, nils: nils)
  }

  /// Returns a descending sort key for a property.
  public static func descending(
    _ property: String, _ options: TextComparison = [], nils: NilOrder? = nil
  ) -> Sort {
    Sort(property: property, isAscending: false, options: options, nils: nils)
  }

  /// Creates an ascending sort key: `"name"` equals `.ascending("name")`.
  public init(stringLiteral property: String) {
    self.init(property: property, isAscending: true)
  }

  /// Creates a sort key for a property.
  public init(
    property: String, isAscending: Bool, options: TextComparison = [], nils: NilOrder? = nil
  ) {
    self.property = property
    self.isAscending = isAscending
    self.options = options
    self.nils = nils
  }

  /// Creates the sort key for a short spelling.
  ///
  /// A leading minus sign, as in `-name`, sorts in descending order. `name[c]`, `name[d]` and
  /// `name[cd]` ignore case, diacritics or both.
  package init(spelling: some StringProtocol) {
    var name = Substring(spelling)
    let isAscending = !name.hasPrefix("-")
    if !isAscending { name = name.dropFirst() }
    let spellings: [(String, TextComparison)] = [
      ("[cd]", [.caseInsensitive, .diacriticInsensitive]), ("[c]", .caseInsensitive),
      ("[d]", .diacriticInsensitive),
    ]
    let found = spellings.first { name.hasSuffix($0.0) }
    self.init(
      property: String(name.dropLast(found?.0.count ?? 0)), isAscending: isAscending,
      options: found?.1 ?? [])
  }

  /// Returns the resolved sort key for the value of the property.
  ///
  /// - Throws: `.invalidArgument` for text options on a value that is not text.
  package func key(of value: ValueShape) throws(VaultError) -> SortKey {
    guard options.isEmpty || value.type.family == .text else {
      throw VaultError(
        .invalidArgument,
        "'\(property)' has type \(value.type.rawValue), but only text can be sorted without regard "
          + "to case or diacritics. Remove the options.")
    }
    return SortKey(
      value, ascending: isAscending, options: options.options,
      isNilFirst: nils.map { $0 == .first })
  }
}
