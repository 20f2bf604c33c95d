/// The length of the values in a column.
public enum ColumnLength: Sendable, Hashable {
  /// A length in the column's declared type, such as `VARCHAR(40)`, which is not enforced.
  ///
  /// It is information for people and other programs.
  case declared(Int)
  /// A length in the column's declared type that the file enforces for all programs.
  ///
  /// It limits the characters of a text (Unicode scalars; bytes for a text with a NUL) or the bytes
  /// of data.
  case atMost(Int)

  /// The maximum length.
  public var limit: Int {
    switch self {
    case .declared(let limit), .atMost(let limit): limit
    }
  }

  /// Whether longer values are rejected.
  public var isChecked: Bool { if case .atMost = self { true } else { false } }
}

/// The definition of a column beyond its Swift type; empty by default.
public struct ColumnDefinition: Sendable, Hashable {
  /// The declared type, such as `DATETIME`, or `nil` for the default of the property type.
  ///
  /// The type must preserve the property's values exactly under SQLite's affinity rules. For
  /// numbers, Bool and Date, it must have the same affinity or be `NUMERIC`; for all other types,
  /// it must have the same affinity.
  public var type: String?
  /// The length of texts or bytes, or `nil` for no limit.
  public var length: ColumnLength?
  /// Additional constraints in SQL: named or unnamed `CHECK (…)`, and `DEFAULT …` for inserts by
  /// other programs.
  ///
  /// Do not repeat the constraints that the class declares otherwise (`NOT NULL`, keys,
  /// references).
  public var constraints: String?

  /// Creates a column definition.
  ///
  /// - Parameters:
  ///   - type: The declared type. Default: the default of the property type.
  ///   - length: The length of texts or bytes.
  ///   - constraints: Additional constraints in SQL.
  public init(type: String? = nil, length: ColumnLength? = nil, constraints: String? = nil) {
    self.type = type
    self.length = length
    self.constraints = constraints
  }
}

extension PropertyDescription {
  /// Returns the property with a column definition beyond its type.
  ///
  /// ```swift
  /// PropertyDescription("name", String.self).columnDefined(length: .atMost(40))
  /// PropertyDescription("age", Int.self).columnDefined(constraints: "CHECK (\"age\" >= 0)")
  /// ```
  ///
  /// A definition that does not match the property throws `.invalidClass` on first use of the
  /// class. If a class changes the definition, its table is recreated. The change is rejected if
  /// stored objects violate it.
  ///
  /// - Parameters:
  ///   - type: The declared type. Default: the default of the property type.
  ///   - length: The length of texts or bytes.
  ///   - constraints: Additional constraints in SQL: `CHECK (…)` and `DEFAULT …`.
  /// - Returns: The property with the definition.
  public func columnDefined(
    type: String? = nil, length: ColumnLength? = nil, constraints: String? = nil
  ) -> PropertyDescription {
    var property = self
    property.definition = ColumnDefinition(type: type, length: length, constraints: constraints)
    return property
  }
}
