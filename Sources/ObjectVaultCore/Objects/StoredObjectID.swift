import ObjectVaultCondition

/// An objectID as the file keeps it, for sets and dictionaries: texts that Swift takes for equal can be
/// the objectIDs of different objects.
struct StoredObjectID: Hashable {
  private let parts: [StoredValue]

  init(_ id: some ObjectIDValue) throws { parts = try id.objectIDParts }
}
