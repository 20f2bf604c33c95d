import ObjectVault

struct Note {
  var title: String
  var text: String
}
