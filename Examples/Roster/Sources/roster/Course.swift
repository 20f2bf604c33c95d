import Foundation
import ObjectVault

/// A course. Its code is the object ID.
@Stored
struct Course {
  @ObjectID var code: String
  var title: String
  var begins: Date
  var room: String?
}
