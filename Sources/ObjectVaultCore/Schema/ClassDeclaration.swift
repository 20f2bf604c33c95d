/// A class as it is given to a vault: its description, and the Swift type it comes from.
struct ClassDeclaration: Sendable {
  let description: ClassDescription
  /// `nil` for a class described at run time.
  let type: ObjectIdentifier?
  /// Whether the type of its objectIDs can be made of every number that the engine may generate.
  let takesEveryNumber: Bool
  /// The `OwnedObjects` of the type, where it has some.
  let owned: (any Sendable)?
  private let ownedCount: Int
  /// How values become those of a changed type.
  let conversions: [PropertyConversion]
  /// Changes what is stored for a new version.
  let migrate: @Sendable (MigrationContext, _ from: Int, _ to: Int) throws -> Void
  private let superclass: String?
  /// What is referred to directly; more is found only where a table must be made.
  private let targets: Targets

  private enum Targets: Sendable {
    case types([any StoredObject.Type])
    case descriptions([ClassDescription])
  }

  /// A class described at run time.
  ///
  /// - Parameters:
  ///   - companions: The other classes that it is stored with, those it refers to among them where the
  ///     file has none of them yet.
  ///   - conversions: How values become those of a changed type.
  init(
    _ description: ClassDescription, with companions: [ClassDescription] = [],
    conversions: [PropertyConversion] = []
  ) {
    self.description = description
    type = nil
    takesEveryNumber = true
    // What belongs to objects described at run time is for their own stores.
    owned = nil
    ownedCount = description.owned.count
    self.conversions = conversions
    migrate = { _, _, _ in }
    superclass = nil
    targets = .descriptions(companions)
  }

  /// A Swift type.
  init<T: StoredObject>(_ type: T.Type) {
    var description = T.classDescription
    description.version = T.version
    self.description = description
    conversions = T.conversions
    migrate = { context, old, new in try T.migrate(context, from: old, to: new) }
    self.type = ObjectIdentifier(type)
    // Both ends tell for every type of whole numbers, also for one of the application's own.
    takesEveryNumber =
      T.ObjectIDType(rowID: .min) != nil && T.ObjectIDType(rowID: .max) != nil
    superclass = (type as? AnyClass).flatMap { _getSuperclass($0) }.map { "\($0)" }
    targets = .types(T.referencedClasses)
    let properties = T.ownedProperties
    owned = properties.isEmpty ? nil : OwnedObjects(properties, description.owned)
    ownedCount = properties.count
  }

  /// The declarations of all other classes that can be reached by references and owned properties:
  /// a table can be used only when those that it refers to are there.
  var referenced: [ClassDeclaration] {
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

  /// - Throws: `.invalidClass` for what the vault cannot keep.
  func validate() throws(VaultError) {
    try description.validate()
    if ownedCount != description.owned.count {
      throw description.invalid(
        "its description has \(description.owned.count) properties of owned objects, and the type "
          + "\(ownedCount)", remedy: "Give both the same, in the same order.")
    }
    if let superclass {
      throw description.invalid(
        "it inherits from '\(superclass)', whose properties would not be stored",
        remedy: "Store a class without a superclass, or a struct.")
    }
  }

  /// Sees that classes can be stored, each and together.
  ///
  /// - Throws: `.invalidClass`.
  static func validate(_ declarations: [ClassDeclaration]) throws(VaultError) {
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
