/// A class as it is given to a vault: its description, and the Swift type it comes from.
struct ClassDeclaration: Sendable {
  let description: ClassDescription
  /// `nil` for a class described at run time.
  let type: ObjectIdentifier?
  /// Whether the type of its objectIDs can be made of every number that the engine may generate.
  let takesEveryNumber: Bool
  private let superclass: String?

  /// A class described at run time.
  init(_ description: ClassDescription) {
    self.description = description
    type = nil
    takesEveryNumber = true
    superclass = nil
  }

  /// A Swift type.
  init<T: StoredObject>(_ type: T.Type) {
    description = T.classDescription
    self.type = ObjectIdentifier(type)
    // Both ends tell for every type of whole numbers, also for one of the application's own.
    takesEveryNumber =
      T.ObjectIDType(rowID: .min) != nil && T.ObjectIDType(rowID: .max) != nil
    superclass = (type as? AnyClass).flatMap { _getSuperclass($0) }.map { "\($0)" }
  }

  /// - Throws: `.invalidClass` for what the vault cannot keep.
  func validate() throws(VaultError) {
    try description.validate()
    if let superclass {
      throw description.invalid(
        "it inherits from '\(superclass)', whose properties would not be stored",
        remedy: "Store a class without a superclass, or a struct.")
    }
  }
}
