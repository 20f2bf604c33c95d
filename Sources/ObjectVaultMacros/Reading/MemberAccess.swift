import SwiftSyntax

extension DeclModifierListSyntax {
  /// What another member must say to be as visible as the property declared so: one that is private
  /// to the type is seen from inside another type only where the whole file sees it.
  var memberAccess: String {
    // `private(set)` says nothing of reading.
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
