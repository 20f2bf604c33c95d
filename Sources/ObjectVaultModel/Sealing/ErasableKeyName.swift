public import Foundation
package import ObjectVaultCondition
package import ObjectVaultDriver

/// A type of values that name erasable keys: `String`, `UUID`, `Int` and `Int64`.
///
/// A number and a text with its digits name the same key, and so do a `UUID` and its upper-case
/// text. Other types cannot conform.
public protocol ErasableKeyNaming: StorableValue {}

extension String: ErasableKeyNaming {}
extension UUID: ErasableKeyNaming {}
extension Int: ErasableKeyNaming {}
extension Int64: ErasableKeyNaming {}

/// The names of erasable keys.
package enum ErasableKeyName {
  /// The types of properties that can name a key.
  package static let types: Set<PropertyType> = [.string, .uuid, .int, .int64]

  /// Returns the name that a stored value is; `nil` if it is none.
  package static func text(of value: BoundValue) -> String? {
    switch value {
    case .integer(let number): String(number)
    case .text(let utf8): String(validating: utf8, as: UTF8.self)
    case .null, .real, .blob: nil
    }
  }
}
