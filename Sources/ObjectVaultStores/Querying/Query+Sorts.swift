public import ObjectVaultModel

extension Query where T: StoredObject {
  /// Returns the objects sorted by these properties, which the compiler checks.
  ///
  /// ```swift
  /// try students.sorted(by: \.age.descending, \.classroom.name, \.name).all()
  /// ```
  ///
  /// - Throws: The errors of ``sorted(by:)-(Sort...)``.
  public func sorted<each Key: SortConvertible>(
    by keys: repeat KeyPath<T.Properties, each Key>
  ) throws -> Query {
    let properties = T.Properties(origin: .object)
    var sorts: [Sort] = []
    repeat sorts.append(properties[keyPath: each keys].sort)
    return try sorted(by: sorts)
  }
}

extension ObjectStore where T: StoredObject {
  /// Returns all objects sorted by these properties, which the compiler checks.
  ///
  /// - Throws: The errors of ``Query/sorted(by:)-(Sort...)``.
  public func sorted<each Key: SortConvertible>(
    by keys: repeat KeyPath<T.Properties, each Key>
  ) throws -> Query<T> {
    try query.sorted(by: repeat each keys)
  }
}
