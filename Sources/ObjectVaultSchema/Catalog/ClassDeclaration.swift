package import ObjectVaultDriver
package import ObjectVaultModel

/// A class as passed to a vault: its description and the Swift type that it comes from.
package struct ClassDeclaration: Sendable {
  package let description: ClassDescription
  /// The identity of the Swift type, or `nil` for a class described at run time.
  package let type: ObjectIdentifier?
  /// Whether the object ID type can represent every number that the engine may generate.
  package let takesEveryNumber: Bool
  /// The `OwnedObjects` of the type, or `nil` if the type owns no objects.
  package let owned: (any Sendable)?
  private let ownedCount: Int
  /// The conversions to changed property types.
  let conversions: [PropertyConversion]
  /// Migrates the stored objects to a new version of the class.
  let migrate: @Sendable (MigrationContext, _ from: Int, _ to: Int) throws -> Void
  private let superclass: String?
  /// The classes that are referred to directly.
  ///
  /// Indirect ones are resolved only when a table must be created.
  private let targets: Targets

  private enum Targets: Sendable {
    case types([any StoredObject.Type])
    case descriptions([ClassDescription])
  }

  /// Creates a declaration of a class described at run time.
  ///
  /// - Parameters:
  ///   - description: The class.
  ///   - companions: The other classes that are stored together with it. They must include the
  ///     classes that it refers to, unless the file already has them.
  package init(_ description: ClassDescription, with companions: [ClassDescription] = []) {
    self.description = description
    type = nil
    takesEveryNumber = true
    // Objects owned by a class described at run time are managed by their own stores.
    owned = nil
    ownedCount = description.owned.count
    conversions = []
    migrate = { _, _, _ in }
    superclass = nil
    targets = .descriptions(companions)
  }

  /// Creates a declaration of a Swift type.
  package init<T: StoredObject>(_ type: T.Type) {
    var description = T.classDescription
    description.version = T.version
    self.description = description
    conversions = T.conversions
    migrate = { context, old, new in try T.migrate(context, from: old, to: new) }
    self.type = ObjectIdentifier(type)
    // The two extreme values are a sufficient test for every integer type, including custom ones.
    takesEveryNumber =
      T.ObjectIDType(rowID: .min) != nil && T.ObjectIDType(rowID: .max) != nil
    superclass = (type as? AnyClass).flatMap { _getSuperclass($0) }.map { "\($0)" }
    targets = .types(T.referencedClasses)
    let properties = T.ownedProperties
    owned = properties.isEmpty ? nil : OwnedObjects(properties, description.owned)
    ownedCount = properties.count
  }

  /// The classes that were given together with a class described at run time.
  package var companions: [ClassDescription] {
    guard case .descriptions(let companions) = targets else { return [] }
    return companions
  }

  /// The declarations of all other classes that can be reached by references and owned properties.
  ///
  /// A table is usable only if the tables that it refers to exist.
  package var referenced: [ClassDeclaration] {
    switch targets {
    case .descriptions(let companions): return companions.map { ClassDeclaration($0) }
    case .types(let types):
      var seen: Set<ObjectIdentifier> = type.map { [$0] } ?? []
      var found: [ClassDeclaration] = []
      var waiting = types[...]
      while let next = waiting.popFirst() {
        guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
        found.append(ClassDeclaration(any: next))
        waiting += next.referencedClasses
      }
      return found
    }
  }

  private init(any type: any StoredObject.Type) {
    func declare<T: StoredObject>(_ type: T.Type) -> ClassDeclaration { ClassDeclaration(type) }
    self = declare(type)
  }

  /// Checks the class.
  ///
  /// - Throws: `.invalidClass` if the vault cannot store the class.
  package func validate() throws(VaultError) {
    try description.validate()
    // Older versions have written descriptions that this check rejects.
    if type != nil { try description.validateOwnedReferences() }
    if ownedCount != description.owned.count {
      throw description.invalid(
        "its description has \(description.owned.count) properties of owned objects, but the type "
          + "has \(ownedCount)",
        remedy: "Declare the same properties in the same order in both.")
    }
    if let superclass {
      throw description.invalid(
        "it inherits from '\(superclass)', but inherited properties are not stored",
        remedy: "Use a class without a superclass, or a struct.")
    }
  }

  /// Checks that the classes can be stored, each alone and all together.
  ///
  /// - Throws: `.invalidClass`.
  package static func validate(_ declarations: [ClassDeclaration]) throws(VaultError) {
    var byTable: [String: ClassDescription] = [:]
    for declaration in declarations {
      try declaration.validate()
      let description = declaration.description
      if let other = byTable.updateValue(description, forKey: description.table) {
        throw description.isTaken(by: other.name)
      }
    }
    for declaration in declarations {
      try declaration.description.validateAssociations(among: byTable)
    }
  }
}
