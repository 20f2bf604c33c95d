public import ObjectVaultEngine

/// The type of a property that refers to an object: ``Ref``, or an optional one.
///
/// It takes as many columns as the objectID has parts.
public protocol ReferenceValue {
  /// The class referred to.
  static var referencedClass: any StoredObject.Type { get }

  /// Whether it may refer to none.
  static var mayReferToNone: Bool { get }

  /// How many columns it takes.
  static var referencePartCount: Int { get }

  /// The parts of the objectID that it keeps.
  static var referenceForm: [ObjectIDPart] { get }

  /// Reads it from the columns from `position` on.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where they hold no objectID.
  static func readReference(from row: Row, at position: Int) throws -> Self

  /// Binds it to the parameters from `position` on.
  func bindReference(to binder: Binder, at position: Int) throws
}

extension Ref: ReferenceValue {
  /// `T`.
  public static var referencedClass: any StoredObject.Type { T.self }

  /// `false`.
  public static var mayReferToNone: Bool { false }

  /// The number of parts of the objectID.
  @inlinable
  public static var referencePartCount: Int { T.ObjectIDType.objectIDPartCount }

  /// The parts of the objectID.
  public static var referenceForm: [ObjectIDPart] { T.ObjectIDType.objectIDForm }

  /// Reads the objectID.
  @inlinable
  public static func readReference(from row: Row, at position: Int) throws -> Ref {
    Ref(id: try T.ObjectIDType.readObjectID(from: row, at: position))
  }

  /// Binds the objectID.
  @inlinable
  public func bindReference(to binder: Binder, at position: Int) throws {
    try id.bindObjectID(to: binder, at: position)
  }
}

extension Optional: ReferenceValue where Wrapped: ReferenceValue {
  /// The class referred to.
  public static var referencedClass: any StoredObject.Type { Wrapped.referencedClass }

  /// `true`.
  public static var mayReferToNone: Bool { true }

  /// The number of parts of the objectID.
  @inlinable
  public static var referencePartCount: Int { Wrapped.referencePartCount }

  /// The parts of the objectID.
  public static var referenceForm: [ObjectIDPart] { Wrapped.referenceForm }

  /// Reads the objectID, or gives `nil` where one of its columns holds no value: the foreign key
  /// refers to nothing then.
  @inlinable
  public static func readReference(from row: Row, at position: Int) throws -> Wrapped? {
    for part in position..<position + Wrapped.referencePartCount where row.isNull(at: part) {
      return nil
    }
    return try Wrapped.readReference(from: row, at: position)
  }

  /// Binds the objectID, or no values.
  @inlinable
  public func bindReference(to binder: Binder, at position: Int) throws {
    if let reference = self { return try reference.bindReference(to: binder, at: position) }
    for part in position..<position + Wrapped.referencePartCount { binder.bindNull(at: part) }
  }
}

extension Row {
  /// Reads a reference from the columns from `position` on, and moves `position` behind them.
  @inlinable
  public func reference<R: ReferenceValue>(
    advancing position: inout Int, as type: R.Type = R.self
  ) throws -> R {
    defer { position += R.referencePartCount }
    return try R.readReference(from: self, at: position)
  }
}

extension Binder {
  /// Binds a reference to the parameters from `position` on, and moves `position` behind them.
  @inlinable
  public func bind<R: ReferenceValue>(reference: R, advancing position: inout Int) throws {
    try reference.bindReference(to: self, at: position)
    position += R.referencePartCount
  }
}
