public import ObjectVaultDriver

/// The type of a property that refers to an object: ``Ref`` or an optional ``Ref``.
///
/// It uses one column for each part of the object ID.
public protocol ReferenceValue {
  /// The referenced class.
  static var referencedClass: any StoredObject.Type { get }

  /// Whether the reference is optional.
  static var mayReferToNone: Bool { get }

  /// The number of columns.
  static var referencePartCount: Int { get }

  /// The parts of the object ID.
  static var referenceForm: [ObjectIDPart] { get }

  /// Returns the reference in the columns from `position`.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the columns contain no object ID.
  static func readReference(from row: Row, at position: Int) throws -> Self

  /// Binds the reference to the parameters from `position`.
  func bindReference(to binder: Binder, at position: Int) throws
}

extension Ref: ReferenceValue {
  /// The referenced class, `T`.
  public static var referencedClass: any StoredObject.Type { T.self }

  /// Whether the reference is optional: always `false`.
  public static var mayReferToNone: Bool { false }

  /// The number of parts of the object ID.
  @inlinable
  public static var referencePartCount: Int { T.ObjectIDType.objectIDPartCount }

  /// The parts of the object ID.
  public static var referenceForm: [ObjectIDPart] { T.ObjectIDType.objectIDForm }

  /// Returns a reference with the object ID in the columns from `position`.
  @inlinable
  public static func readReference(from row: Row, at position: Int) throws -> Ref {
    Ref(id: try T.ObjectIDType.readObjectID(from: row, at: position))
  }

  /// Binds the object ID.
  @inlinable
  public func bindReference(to binder: Binder, at position: Int) throws {
    try id.bindObjectID(to: binder, at: position)
  }
}

extension Optional: ReferenceValue where Wrapped: ReferenceValue {
  /// The referenced class.
  public static var referencedClass: any StoredObject.Type { Wrapped.referencedClass }

  /// Whether the reference is optional: always `true`.
  public static var mayReferToNone: Bool { true }

  /// The number of parts of the object ID.
  @inlinable
  public static var referencePartCount: Int { Wrapped.referencePartCount }

  /// The parts of the object ID.
  public static var referenceForm: [ObjectIDPart] { Wrapped.referenceForm }

  /// Returns the reference in the columns from `position`, or `nil` if any of them is NULL.
  ///
  /// A foreign key with a NULL column refers to nothing.
  @inlinable
  public static func readReference(from row: Row, at position: Int) throws -> Wrapped? {
    for part in position..<position + Wrapped.referencePartCount where row.isNull(at: part) {
      return nil
    }
    return try Wrapped.readReference(from: row, at: position)
  }

  /// Binds the object ID, or NULL in all columns.
  @inlinable
  public func bindReference(to binder: Binder, at position: Int) throws {
    if let reference = self { return try reference.bindReference(to: binder, at: position) }
    for part in position..<position + Wrapped.referencePartCount { binder.bindNull(at: part) }
  }
}

extension Row {
  /// Returns a reference from the columns from `position`, and advances `position` past them.
  @inlinable
  public func reference<R: ReferenceValue>(
    advancing position: inout Int, as type: R.Type = R.self
  ) throws -> R {
    defer { position += R.referencePartCount }
    return try R.readReference(from: self, at: position)
  }
}

extension Binder {
  /// Binds a reference to the parameters from `position`, and advances `position` past them.
  @inlinable
  public func bind<R: ReferenceValue>(reference: R, advancing position: inout Int) throws {
    try reference.bindReference(to: self, at: position)
    position += R.referencePartCount
  }
}
