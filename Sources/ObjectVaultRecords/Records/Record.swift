public import ObjectVaultCore

/// A stored class whose objects save, update and remove themselves in a registered vault.
///
/// Type methods of the class find, count and query its objects.
///
/// ```swift
/// @Stored
/// struct Student: Record {
///   var name: String
///   var age: Int
/// }
///
/// try Vaults.current.register(at: "school.vault", key: key, classes: [Student.self])
/// try Vaults.current.start()
///
/// var li = Student(name: "Li", age: 20)
/// try li.save()
/// try Student.where("age >= %@", 18).count()
/// ```
///
/// Register the class with a vault. Every operation uses this vault unless it names another one.
/// The operations are those of ``ObjectStore`` and throw the same errors. Each one also throws
/// `.noSuchVault` if the class is not registered with a vault.
public protocol Record: StoredObject {
  /// The name of the vault that the class belongs to, or `nil` for the vault it is registered with.
  ///
  /// The default is `nil`. A class that is registered with several vaults must name its own vault
  /// here. Naming a vault does not register the class with it, nor does anything that the class
  /// inherits.
  static var vaultName: String? { get }
}

extension Record {
  /// `nil`, so that the class belongs to the vault that it is registered with.
  public static var vaultName: String? { nil }
}
