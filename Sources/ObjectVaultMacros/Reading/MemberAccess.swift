import SwiftSyntax

extension DeclModifierListSyntax {
  /// The access modifier that makes another member as visible as the property.
  ///
  /// A member that is private to the type is visible inside another type only if it is
  /// `fileprivate`.
  var memberAccess: String {
    // `private(set)` does not limit reading.
    for modifier in self where modifier.detail == nil {
      switch modifier.name.text {
      case "open", "public": return "public "
      case "package": return "package "
      case "private", "fileprivate": return "fileprivate "
      default: continue
      }
    }
    return ""
  }
}
