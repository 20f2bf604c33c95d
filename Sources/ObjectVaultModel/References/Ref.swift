import ObjectVaultDriver

/// A reference to a stored object, which contains its object ID.
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
/// A reference is a foreign key in the file, so the vault ensures that the object exists.
public struct Ref<T: StoredObject> {
  /// The object ID of the referenced object.
  public var id: T.ObjectIDType

  /// Creates a reference from an object ID.
  @inlinable
  public init(id: T.ObjectIDType) { self.id = id }

  /// Creates a reference to a stored object.
  ///
  /// - Throws: ``VaultError`` `.noObjectID` if the object has no ID yet. Insert the object first.
  public init(_ object: T) throws {
    guard let id = object.storedObjectID else {
      throw VaultError(
        .noObjectID,
        "An object of class '\(T.self)' without an object ID cannot be referenced. Insert it first."
      )
    }
    self.id = id
  }
}

extension Ref: Hashable {}
extension Ref: Sendable {}

extension Ref: Encodable where T.ObjectIDType: Encodable {
  /// Encodes only the object ID.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

extension Ref: Decodable where T.ObjectIDType: Decodable {
  /// Creates a reference from an encoded object ID.
  public init(from decoder: any Decoder) throws {
    id = try decoder.singleValueContainer().decode(T.ObjectIDType.self)
  }
}
