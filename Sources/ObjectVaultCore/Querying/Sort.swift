import ObjectVaultCondition

/// One key of an order: a property and a direction.
public struct Sort: Sendable, Hashable, ExpressibleByStringLiteral {
  /// What an order of text overlooks; texts that differ only in that are equal to it.
  public struct Options: OptionSet, Sendable, Hashable {
    /// The bits of the options.
    public let rawValue: UInt8

    /// Makes options of their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The case of letters, as `[c]` in conditions does: Unicode's simple case folding.
    public static let caseInsensitive = Options(rawValue: TextOptions.caseBlind.rawValue)
    /// Diacritical marks, as `[d]` in conditions does.
    public static let diacriticInsensitive = Options(
      rawValue: TextOptions.diacriticBlind.rawValue)
  }

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
  public var options: Options
  /// Where `nil` comes. By default it is smaller than every value: first ascending, last
  /// descending.
  public var nils: NilOrder?

  /// Orders by a property, small first.
  public static func ascending(
    _ property: String, _ options: Options = [], nils: NilOrder? = nil
  ) -> Sort {
    Sort(property: property, isAscending: true, options: options, nils: nils)
  }

  /// Orders by a property, large first.
  public static func descending(
    _ property: String, _ options: Options = [], nils: NilOrder? = nil
  ) -> Sort {
    Sort(property: property, isAscending: false, options: options, nils: nils)
  }

  /// Orders by a property, small first: `"name"` is `.ascending("name")`.
  public init(stringLiteral property: String) {
    self.init(property: property, isAscending: true)
  }

  /// Orders by a property.
  public init(
    property: String, isAscending: Bool, options: Options = [], nils: NilOrder? = nil
  ) {
    self.property = property
    self.isAscending = isAscending
    self.options = options
    self.nils = nils
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
      value, ascending: isAscending, options: TextOptions(rawValue: options.rawValue),
      isNilFirst: nils.map { $0 == .first })
  }
}
