/// A value in its stored form: one of SQLite's five storage classes.
///
/// Conditions compare stored values. Arguments are converted to stored values before they are
/// bound, and a ``DynamicObject`` contains only stored values. Equality is that of storage:
/// `.integer(1)` and `.real(1)` differ, as do `.text("1")` and `.integer(1)`.
public enum StoredValue: Sendable, Hashable {
  /// No value: `nil` in Swift, `NULL` in SQL.
  case null
  /// A signed 64-bit integer; also a `Bool` as 0 or 1.
  case integer(Int64)
  /// A double; also a `Date` as seconds since 1970-01-01 00:00 UTC.
  case real(Double)
  /// Text, verbatim; also a UUID, a URL, a decimal or canonical JSON.
  case text(String)
  /// Bytes.
  case blob([UInt8])

  /// Whether the value is ``null``.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension StoredValue {
  /// Returns whether two values are equal in the file.
  ///
  /// Texts are compared by their bytes, although Swift treats canonically equivalent texts as
  /// equal. Doubles are compared by their numeric values.
  public static func == (a: StoredValue, b: StoredValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    case (.blob(let a), .blob(let b)): a == b
    default: false
    }
  }
}
