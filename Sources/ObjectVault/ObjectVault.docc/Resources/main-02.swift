import ObjectVault

@Stored
struct Note {
  var title: String
  var text: String
}
