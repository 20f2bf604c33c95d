public import ObjectVaultCore

/// A class whose objects know where they are kept: they are saved, updated and removed by
/// themselves, and the class finds them.
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
/// The class is registered with a vault, to which every operation goes that names no other.
/// Operations are those of ``ObjectStore``, and fail as those do; each also fails with
/// `.noSuchVault` where the class is registered with no vault.
public protocol Record: StoredObject {
  /// The name of the vault that the class belongs to; `nil`, the default, for the one that it is
  /// registered with.
  ///
  /// A class that is registered with several vaults must say which of them is its own. To say so
  /// does not register it, nor does what it inherits.
  static var vaultName: String? { get }
}

extension Record {
  /// The vault that the class is registered with.
  public static var vaultName: String? { nil }
}
