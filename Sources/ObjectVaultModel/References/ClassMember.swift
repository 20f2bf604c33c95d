/// A declared member of a class: a stored property, a reference or a property with owned objects.
///
/// A property is stored in a column, a reference in one or more columns, and owned objects in the
/// table of another class.
public struct ClassMember: Sendable {
  /// The name in Swift.
  let name: String
  /// The stored properties of the member.
  let properties: [PropertyDescription]
  let reference: ReferenceDescription?
  let owned: OwnedDescription?

  /// Returns a property that is stored in a column.
  public static func property(_ property: PropertyDescription) -> ClassMember {
    ClassMember(name: property.name, properties: [property], reference: nil, owned: nil)
  }

  /// Returns a reference to an object.
  ///
  /// The target class provides its ``StoredObject/referenceTarget``. If the target derives it from
  /// its class description, that description must not depend on this one.
  ///
  /// - Parameters:
  ///   - name: The name in Swift.
  ///   - type: A ``Ref`` or an optional ``Ref``.
  ///   - column: The name of the column, or the prefix of the columns for a multi-column object ID.
  ///     Default: the name of the property.
  ///   - renamedFrom: The former names of the column, or their prefixes.
  ///   - onDelete: The delete rule for the object if the referenced object is removed. Default:
  ///     `nullify` for an optional reference, `deny` otherwise.
  /// - Returns: The member for the class description.
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

  /// Returns a property with owned objects of another class.
  ///
  /// - Parameters:
  ///   - name: The name in Swift.
  ///   - type: The class of the owned objects, which provides its ``StoredObject/referenceTarget``.
  ///   - reference: The name of its reference to the owner.
  ///   - isMany: Whether an owner can have more than one object.
  ///   - sortedBy: The names of the properties that define the order.
  ///   - ordered: Whether the vault stores the order of the owner's array.
  /// - Returns: The member for the class description.
  public static func owned<Child: StoredObject>(
    _ name: String, _ type: Child.Type, reference: String, isMany: Bool = true,
    sortedBy: [String] = [], ordered: Bool = false
  ) -> ClassMember {
    let owned = OwnedDescription(
      name, target: Child.referenceTarget.table, reference: reference, isMany: isMany,
      sortedBy: sortedBy, ordered: ordered)
    return ClassMember(name: name, properties: [], reference: nil, owned: owned)
  }
}

extension ClassDescription {
  /// Creates a class description from its declared members.
  ///
  /// - Parameters:
  ///   - name: The name of the class.
  ///   - table: The name of its table. Default: the name of the class.
  ///   - members: The properties, references and owned objects in declaration order.
  ///   - objectID: The names of the members that form the object ID. Default: none, which makes the
  ///     vault generate integer IDs.
  ///   - indexes: The indexes, with the names of their members.
  ///   - renamedFrom: The former names of the table.
  ///   - search: The properties with a full-text index.
  ///   - options: The options of the table.
  public init(
    _ name: String, table: String? = nil, members: [ClassMember], objectID: [String] = [],
    indexes: [IndexDescription] = [], renamedFrom: [String] = [],
    search: SearchDescription? = nil, options: TableOptions = TableOptions()
  ) {
    /// Returns the names of stored properties, with all parts in place of a multi-column reference.
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
