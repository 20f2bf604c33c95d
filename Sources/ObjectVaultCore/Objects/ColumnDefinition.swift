/// How long the values of a column are.
public enum ColumnLength: Sendable, Hashable {
  /// The column's type says so, for people and other programs: `VARCHAR(40)`. Nothing is checked.
  case declared(Int)
  /// The column's type says so, and the file itself refuses longer values, whoever writes them: more
  /// characters of a text (Unicode scalars; bytes where it has a NUL), or bytes of data.
  case atMost(Int)

  /// The length.
  public var limit: Int {
    switch self {
    case .declared(let limit), .atMost(let limit): limit
    }
  }

  /// Whether longer values are refused.
  public var isChecked: Bool { if case .atMost = self { true } else { false } }
}

/// What a property says of its column beside what its Swift type does. By default nothing.
public struct ColumnDefinition: Sendable, Hashable {
  /// The declared type, such as `DATETIME`; `nil` for that of the property's type.
  ///
  /// Only one under which the engine keeps the property's values exactly, by SQLite's rules of
  /// affinity: for numbers, Bool and Date one of the same affinity or `NUMERIC`, for everything else one
  /// of the same affinity.
  public var type: String?
  /// How long texts or bytes are; `nil` where nothing is said.
  public var length: ColumnLength?
  /// Further constraints as SQL: `CHECK (…)`, also with a name, and `DEFAULT …` for what other programs
  /// insert. What the class says by other means (`NOT NULL`, keys, references) does not belong here.
  public var constraints: String?

  /// Describes a column.
  ///
  /// - Parameters:
  ///   - type: The declared type; that of the property's type by default.
  ///   - length: How long texts or bytes are.
  ///   - constraints: Further constraints as SQL.
  public init(type: String? = nil, length: ColumnLength? = nil, constraints: String? = nil) {
    self.type = type
    self.length = length
    self.constraints = constraints
  }
}

extension PropertyDescription {
  /// The property with a column that is defined otherwise than by its type alone.
  ///
  /// ```swift
  /// PropertyDescription("name", String.self).columnDefined(length: .atMost(40))
  /// PropertyDescription("age", Int.self).columnDefined(constraints: "CHECK (\"age\" >= 0)")
  /// ```
  ///
  /// What does not fit the property is `.invalidClass` when its class is first used. Where a class
  /// changes the definition, its table is made anew, and refused where objects do not agree with it.
  ///
  /// - Parameters:
  ///   - type: The declared type; that of the property's type by default.
  ///   - length: How long texts or bytes are.
  ///   - constraints: Further constraints as SQL, `CHECK (…)` and `DEFAULT …`.
  public func columnDefined(
    type: String? = nil, length: ColumnLength? = nil, constraints: String? = nil
  ) -> PropertyDescription {
    var property = self
    property.definition = ColumnDefinition(type: type, length: length, constraints: constraints)
    return property
  }
}
