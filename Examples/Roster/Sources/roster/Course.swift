import Foundation
import ObjectVault

/// Found again by its code: a property of its own is the objectID.
@Stored
struct Course {
  @ObjectID var code: String
  var title: String
  var begins: Date
  var room: String?
}
