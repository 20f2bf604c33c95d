import ObjectVault

/// A student with a generated object ID.
@Stored
struct Student {
  var name: String
  @Indexed var age: Int
  var tags: [String] = []
}
