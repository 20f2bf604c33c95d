import Foundation
import ObjectVault

@Stored
struct Note {
  var title: String
  var text: String
  @Indexed var created: Date
  var tags: [String] = []
}
