import ObjectVaultCondition

/// One key of an order: a property and a direction.
public struct Sort: Sendable, Hashable, ExpressibleByStringLiteral {
  /// Where `nil` comes.
  public enum NilOrder: Sendable, Hashable, CaseIterable {
    /// Before every value, in either direction.
    case first
    /// After every value, in either direction.
    case last
  }

  /// The name of the property, as in Swift, or a path across associations such as
  /// `classroom.name`.
  public var property: String
  /// Whether small comes first.
  public var isAscending: Bool
  /// What is overlooked of text. Default: nothing; text is ordered by its UTF-8.
  public var options: TextComparison
  /// Where `nil` comes. By default it is smaller than every value: first ascending, last
  /// descending.
  public var nils: NilOrder?

  /// Orders by a property, small first.
  public static func ascending(
    _ property: String, _ options: TextComparison = [], nils: NilOrder? = nil
  ) -> Sort {
    Sort(property: property, isAscending: true, options: options, nils: nils)
  }

  /// Orders by a property, large first.
  public static func descending(
    _ property: String, _ options: TextComparison = [], nils: NilOrder? = nil
  ) -> Sort {
    Sort(property: property, isAscending: false, options: options, nils: nils)
  }

  /// Orders by a property, small first: `"name"` is `.ascending("name")`.
  public init(stringLiteral property: String) {
    self.init(property: property, isAscending: true)
  }

  /// Orders by a property.
  public init(
    property: String, isAscending: Bool, options: TextComparison = [], nils: NilOrder? = nil
  ) {
    self.property = property
    self.isAscending = isAscending
    self.options = options
    self.nils = nils
  }

  /// The key that a short spelling says: `name`, `-name` for large first, `name[c]`, `name[d]` and
  /// `name[cd]` for what is overlooked of text.
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

  /// The key for the value that the property is.
  ///
  /// - Throws: `.invalidArgument` for options of text where it is none.
  func key(of value: ValueShape) throws(VaultError) -> SortKey {
    guard options.isEmpty || value.type.family == .text else {
      throw VaultError(
        .invalidArgument,
        "'\(property)' is \(value.type.rawValue), and only text can be sorted without regard to "
          + "case or marks. Leave the options out.")
    }
    return SortKey(
      value, ascending: isAscending, options: options.options,
      isNilFirst: nils.map { $0 == .first })
  }
}
