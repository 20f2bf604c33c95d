import ObjectVaultNames

/// The name of a class's table: a fixed name, or a name derived from the class's name.
///
/// ```swift
/// @Stored(table: "people") struct Person { … }
/// @Stored(table: .plural) struct UserModel { … }       // the table "users"
/// ```
public struct TableName: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The fixed name, or `nil` for the plural of the class's name.
  private let name: String?

  /// The plural of the class's name.
  ///
  /// The rule never changes, because tables in existing files are named by it. `Model` at the end
  /// is omitted. Words begin at capital letters and are written in lower case with `_` between
  /// them. The last word becomes plural: it ends in `es` after `s`, `x`, `z`, `ch` and `sh`, `y`
  /// after a consonant becomes `ies`, and all other words get an `s`. Irregular English plurals are
  /// not supported. A name that does not end in an English letter gets `_list` instead. `UserModel`
  /// has the table `users`, `fileMeta` `file_metas`, `Category` `categories`, and `Page2`
  /// `page2_list`.
  public static let plural = TableName(name: nil)

  /// Creates a fixed name.
  public init(_ name: String) { self.init(name: name) }

  /// Creates a fixed name.
  public init(stringLiteral name: String) { self.init(name: name) }

  private init(name: String?) { self.name = name }

  /// Returns the table name of a class, for use in a handwritten description.
  ///
  /// For example,
  /// `ClassDescription("UserModel", table: TableName.plural.table(ofClass: "UserModel"), …)`.
  /// `className` is the last component of a Swift type's name.
  public func table(ofClass className: String) -> String {
    name ?? PluralName.table(ofClass: className)
  }
}
