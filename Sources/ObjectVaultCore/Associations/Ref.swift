/// A reference to a stored object of another class, or of the same: its objectID.
///
/// ```swift
/// @Stored
/// struct Student {
///   var name: String
///   @Reference(onDelete: .cascade) var classroom: Ref<Classroom>?
/// }
/// let student = Student(name: "Li", classroom: try Ref(classroom))
/// let classroom = try student.classroom?.object(in: vault)
/// ```
///
/// The vault sees to it that the object is there: the reference is a foreign key of the file.
public struct Ref<T: StoredObject> {
  /// The objectID of the object referred to.
  public var id: T.ObjectIDType

  /// Refers to the object with an objectID.
  @inlinable
  public init(id: T.ObjectIDType) { self.id = id }

  /// Refers to a stored object.
  ///
  /// - Throws: ``VaultError`` `.noObjectID` where the object has none yet: insert it first.
  public init(_ object: T) throws {
    guard let id = object.storedObjectID else {
      throw VaultError(
        .noObjectID,
        "An object of '\(T.self)' without an objectID cannot be referred to. Insert it first.")
    }
    self.id = id
  }

  /// The object referred to, or `nil` where it is not stored.
  ///
  /// - Throws: as ``ObjectStore/find(_:)-(T.ObjectIDType)``.
  public func object(in vault: Vault) throws -> T? {
    try vault.store(of: T.self).find(id)
  }
}

extension Ref: Hashable {}
extension Ref: Sendable {}

extension Ref: Encodable where T.ObjectIDType: Encodable {
  /// Encodes the objectID alone.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

extension Ref: Decodable where T.ObjectIDType: Decodable {
  /// Decodes an objectID.
  public init(from decoder: any Decoder) throws {
    id = try decoder.singleValueContainer().decode(T.ObjectIDType.self)
  }
}

extension ObjectStore where T: StoredObject {
  /// The object referred to, or `nil` where it is not stored.
  ///
  /// - Throws: as ``find(_:)-(T.ObjectIDType)``.
  @inlinable
  public func find(_ reference: Ref<T>) throws -> T? { try find(reference.id) }
}
