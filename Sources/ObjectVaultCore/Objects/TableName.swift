import ObjectVaultNames

/// How the table of a class is named: as a text says, or after the class by a rule.
///
/// ```swift
/// @Stored(table: "people") struct Person { … }
/// @Stored(table: .plural) struct UserModel { … }       // the table "users"
/// ```
public struct TableName: Sendable, Hashable, ExpressibleByStringLiteral {
  /// `nil` for the plural of the class's name.
  private let name: String?

  /// The plural of the class's name, by a rule that never changes, since the tables of files are named
  /// by it.
  ///
  /// `Model` at the end is left out. Words begin where a capital letter does, and are written in lower
  /// case with `_` between them. The last one is put in the plural: after `s`, `x`, `z`, `ch` and `sh`
  /// it ends in `es`, a `y` after a consonant becomes `ies`, and everything else gets an `s`; words that
  /// English treats otherwise are no exceptions. A name that ends in no English letter gets `_list`
  /// instead. `UserModel` has the table `users`, `fileMeta` `file_metas`, `Category` `categories`,
  /// `Page2` `page2_list`.
  public static let plural = TableName(name: nil)

  /// The text itself.
  public init(_ name: String) { self.init(name: name) }

  /// The text itself.
  public init(stringLiteral name: String) { self.init(name: name) }

  private init(name: String?) { self.name = name }

  /// The name of the table of a class, for descriptions by hand:
  /// `ClassDescription("UserModel", table: TableName.plural.table(ofClass: "UserModel"), …)`.
  ///
  /// - Parameter className: The name of the class, the last component of a Swift type's name.
  public func table(ofClass className: String) -> String {
    name ?? PluralName.table(ofClass: className)
  }
}
