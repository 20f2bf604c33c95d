import ObjectVaultCore

/// A relation from an object to others.
///
/// It is a reference of the object, its owned objects, or the objects of another class that refer
/// to it.
struct ObjectNeighbours {
  /// The name that the user enters.
  let name: String
  let isReference: Bool
  let objects: InspectedObjects

  /// Returns the relations of an object.
  ///
  /// `classes` are the classes of the vault.
  static func all(
    of object: DynamicObject, in vault: Vault, among classes: [ClassDescription]
  ) throws -> [ObjectNeighbours] {
    let description = object.classDescription
    var found: [ObjectNeighbours] = []
    for reference in description.references {
      let key = try reference.properties.map { try object.value(of: $0) }
      guard !key.contains(where: \.isNull),
        let target = classes.first(where: { $0.table == reference.target })
      else { continue }
      let names = reference.targetColumns.map { column in
        target.properties.first { $0.column == column }?.name ?? column
      }
      found.append(
        try .init(reference.name, isReference: true, target, in: vault, names, equal: key))
    }
    guard let id = object.storedObjectID?.objectIDParts else { return found }
    let names = Dictionary(classes.map { ($0.name, 1) }, uniquingKeysWith: +)
    for other in classes {
      // The table alone distinguishes classes with the same name.
      let name = names[other.name] == 1 ? other.name : other.table
      for reference in other.references where reference.target == description.table {
        let owned = description.owned.first {
          $0.target == other.table && $0.reference == reference.name
        }
        found.append(
          try .init(
            owned?.name ?? "\(name).\(reference.name)", isReference: false, other, in: vault,
            reference.properties, equal: id))
      }
    }
    return found
  }

  private init(
    _ name: String, isReference: Bool, _ target: ClassDescription, in vault: Vault,
    _ properties: [String], equal values: [StoredValue]
  ) throws {
    self.name = name
    self.isReference = isReference
    var objects = InspectedObjects(try vault.presentStore(of: target))
    objects.origin = (
      properties.map { _ in "%K == %@" }.joined(separator: " && "),
      zip(properties, values).flatMap { [$0, $1] as [Any?] }
    )
    self.objects = objects
  }
}
