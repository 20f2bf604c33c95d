/// One property of a class as it is declared: kept in a column, in those of a reference, or in
/// another class's table.
public struct ClassMember: Sendable {
  /// Its name in Swift.
  let name: String
  /// The properties that keep it.
  let properties: [PropertyDescription]
  let reference: ReferenceDescription?
  let owned: OwnedDescription?

  /// A property that is kept in a column.
  public static func property(_ property: PropertyDescription) -> ClassMember {
    ClassMember(name: property.name, properties: [property], reference: nil, owned: nil)
  }

  /// A reference to an object.
  ///
  /// The target is asked for its ``StoredObject/referenceTarget``. Where that is made from its
  /// description, this one's must not be needed for it.
  ///
  /// - Parameters:
  ///   - name: The name in Swift.
  ///   - type: A ``Ref``, or an optional one.
  ///   - column: The name of the column, or for an objectID of several parts what the names of the
  ///     columns begin with; the property's name by default.
  ///   - renamedFrom: The columns it was kept in before, or what their names began with.
  ///   - onDelete: What becomes of the object when the one referred to is removed: by default
  ///     `nullify` for an optional reference, `deny` otherwise.
  public static func reference<R: ReferenceValue>(
    _ name: String, _ type: R.Type, column: String? = nil, renamedFrom: [String] = [],
    onDelete: DeleteRule? = nil
  ) -> ClassMember {
    let target = R.referencedClass.referenceTarget
    let properties = R.referenceForm.map { part in
      let suffix = part.name.isEmpty ? "" : "_\(part.name)"
      return PropertyDescription(
        name + suffix, column: (column ?? name) + suffix, type: part.type,
        isOptional: R.mayReferToNone, renamedFrom: renamedFrom.map { $0 + suffix })
    }
    let reference = ReferenceDescription(
      name, properties: properties.map(\.name), target: target.table,
      targetColumns: target.columns, onDelete: onDelete ?? (R.mayReferToNone ? .nullify : .deny))
    return ClassMember(name: name, properties: properties, reference: reference, owned: nil)
  }

  /// Objects of another class that belong to the object.
  ///
  /// - Parameters:
  ///   - name: The name in Swift.
  ///   - type: The class, which is asked for its ``StoredObject/referenceTarget``.
  ///   - reference: The name of its reference to the owner.
  ///   - isMany: Whether there may be more than one.
  ///   - sortedBy: The names of its properties that give the order.
  public static func owned<Child: StoredObject>(
    _ name: String, _ type: Child.Type, reference: String, isMany: Bool = true,
    sortedBy: [String] = []
  ) -> ClassMember {
    let owned = OwnedDescription(
      name, target: Child.referenceTarget.table, reference: reference, isMany: isMany,
      sortedBy: sortedBy)
    return ClassMember(name: name, properties: [], reference: nil, owned: owned)
  }
}

extension ClassDescription {
  /// Describes a class by its members as they are declared.
  ///
  /// - Parameters:
  ///   - name: The name of the class.
  ///   - table: The name of its table; the class's name by default.
  ///   - members: The properties, references and owned objects in declaration order.
  ///   - objectID: The names of the members that make the objectID; none by default, which has the
  ///     vault generate a number.
  ///   - indexes: The indexes, over members by name.
  ///   - renamedFrom: The tables it was kept in before.
  ///   - search: Which properties are searched for words.
  ///   - options: What it says of its table as a whole.
  public init(
    _ name: String, table: String? = nil, members: [ClassMember], objectID: [String] = [],
    indexes: [IndexDescription] = [], renamedFrom: [String] = [],
    search: SearchDescription? = nil, options: TableOptions = TableOptions()
  ) {
    /// A reference of several parts stands for all of them.
    func properties(of names: [String]) -> [String] {
      names.flatMap { name in
        members.first { $0.name == name && $0.owned == nil }?.properties.map(\.name) ?? [name]
      }
    }
    self.init(
      name, table: table, properties: members.flatMap(\.properties),
      objectID: properties(of: objectID),
      indexes: indexes.map {
        IndexDescription(properties(of: $0.properties), unique: $0.isUnique)
      },
      references: members.compactMap(\.reference), owned: members.compactMap(\.owned),
      renamedFrom: renamedFrom, search: search, options: options)
  }
}
