import ObjectVault

/// Found again by its number, which the vault gives it on insert.
@Stored
struct Student {
  var name: String
  @Indexed var age: Int
  var tags: [String] = []
}
