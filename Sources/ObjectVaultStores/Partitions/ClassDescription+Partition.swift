import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

extension ClassDescription {
  /// Returns the properties of a partition with their values.
  ///
  /// There are several for a reference to objects with a composite object ID.
  func partitionTerms(
    _ name: String, is value: Any?
  ) throws -> [Partition.Term] {
    if let position = properties.firstIndex(where: { $0.name == name }) {
      let property = properties[position]
      try checkMakesPartitions(property)
      let value = try property.checked(argument: value, in: self, at: position)
      return [Partition.Term(property, at: position, is: value)]
    }
    guard let reference = reference(named: name) else { throw noSuchProperty(name) }
    let positions = reference.properties.compactMap { name in
      properties.firstIndex { $0.name == name }
    }
    var parts: [StoredValue] = Array(repeating: .null, count: positions.count)
    if let id = ConditionArgument.unwrapped(value) {
      guard let id = id as? any ObjectIDValue, try id.objectIDParts.count == positions.count else {
        throw VaultError(
          .invalidValue,
          "'\(name)' of class '\(self.name)' refers to objects with an object ID of "
            + "\(positions.count) parts, but the value is not one. Pass a Ref, or the object ID.")
      }
      parts = try id.objectIDParts
    }
    return try zip(positions, parts).map { position, part in
      let property = properties[position]
      try checkMakesPartitions(property)
      return Partition.Term(
        property, at: position, is: try property.checked(part, in: self, at: position))
    }
  }

  private func checkMakesPartitions(_ property: PropertyDescription) throws(VaultError) {
    guard
      property.isShared || property.sealing != nil
        || [.decimal, .composite].contains(property.type.family)
    else { return }
    let kind =
      property.sealing != nil ? "sealed" : property.isShared ? "shared" : property.type.rawValue
    throw VaultError(
      .invalidArgument,
      "Property '\(property.name)' of class '\(name)' is \(kind), which cannot separate "
        + "partitions. Use a text, a number, a date, a UUID or a reference.")
  }

  /// Returns the error for an object of another partition.
  func otherPartition(_ term: Partition.Term) -> VaultError {
    VaultError(
      .otherPartition,
      "The store is the partition of class '\(name)' for one value of '\(term.property.name)', but "
        + "an object has another. Nothing was changed. Set that value, or use the store of the "
        + "object's partition or of the whole class.")
  }
}
