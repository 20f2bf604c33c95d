import ObjectVaultCondition

/// How a table of the file becomes one that keeps the objects of a class: which column each property
/// comes from, what is added, and whether the table has to be made anew.
struct TableUpgrade {
  let description: ClassDescription
  /// The columns of the table as it is.
  let present: [Schema.Column]
  /// The class as it was when the table was last used, where the file says.
  let described: ClassDescription?
  /// The foreign keys of the table as it is.
  var foreignKeys: [TableForeignKey] = []
  /// The conversions that the class gives.
  var conversions: [PropertyConversion] = []

  /// Where the values of a property come from.
  enum Origin: Hashable {
    /// The column of this name, as it is.
    case column(String)
    /// The column of this name, converted: from another type or another name.
    case converted(String, from: PropertyType?)
    /// Nowhere: the property is new.
    case none
  }

  /// The origin of each property, in order.
  var origins: [Origin] {
    let moved = moved
    return description.properties.indices.map { position in
      let property = description.properties[position]
      let name = moved[position] ?? property.column
      return column(name).map { origin(property, $0) } ?? .none
    }
  }

  /// The columns that become those of properties under other names, by the properties' positions.
  ///
  /// A name that was given up may be another property's at the same time, also in a circle. One that a
  /// property has and keeps is no former one of another.
  private var moved: [Int: String] {
    var moved: [Int: String] = [:]
    for (position, property) in description.properties.enumerated() {
      // What the file describes so was renamed already.
      let done = described?.properties.first {
        $0.column.asciiLowercased == property.column.asciiLowercased
      }?.renamedFrom
      moved[position] = property.renamedFrom.first { former in
        column(former) != nil && former.asciiLowercased != property.column.asciiLowercased
          && !(column(property.column) != nil && done?.contains(former) ?? false)
      }
    }
    while let position = moved.keys.sorted().first(where: { !mayMove($0, moved) }) {
      moved[position] = nil
    }
    return moved
  }

  /// Whether a property can have its former column: no other property keeps or gets that, and its own
  /// name is free.
  private func mayMove(_ position: Int, _ moved: [Int: String]) -> Bool {
    guard let former = moved[position]?.asciiLowercased else { return false }
    for (other, property) in description.properties.enumerated() where other != position {
      if let source = moved[other] {
        if source.asciiLowercased == former, other < position { return false }
      } else if property.column.asciiLowercased == former {
        return false
      }
    }
    let own = description.properties[position].column
    return column(own) == nil
      || moved.values.contains { $0.asciiLowercased == own.asciiLowercased }
  }

  private func origin(_ property: PropertyDescription, _ column: Schema.Column) -> Origin {
    let oldType = described?.properties.first { $0.column == column.name }?.type
    let isFitting =
      property.isKept(by: column.affinity)
    let takesAll = oldType.map { property.type.takesAll(of: $0) } ?? true
    let isGiven = oldType != property.type && givenConversion(of: property, from: oldType) != nil
    return isFitting && takesAll && !isGiven
      ? .column(column.name) : .converted(column.name, from: oldType)
  }

  /// The conversion that the class gives for a property that was of this type.
  func givenConversion(
    of property: PropertyDescription, from oldType: PropertyType?
  ) -> PropertyConversion? {
    conversions.first { $0.property == property.name && $0.oldType == oldType }
  }

  func column(_ name: String) -> Schema.Column? {
    present.first { $0.name.asciiLowercased == name.asciiLowercased }
  }

  /// The columns that no property has any more. They stay, with what is in them.
  var left: [Schema.Column] {
    let used = Set(
      origins.compactMap { origin in
        switch origin {
        case .column(let name), .converted(let name, _): name.asciiLowercased
        case .none: nil
        }
      })
    return present.filter { column in
      !used.contains(column.name.asciiLowercased)
        && !(description.objectID == .generated && isGeneratedID(column))
    }
  }

  private func isGeneratedID(_ column: Schema.Column) -> Bool {
    column.name == ClassDescription.generatedIDColumn && column.primaryKeyPlace == 1
  }

  /// The properties that the table has no column for.
  var added: [PropertyDescription] {
    zip(description.properties, origins).filter { $0.1 == .none }.map(\.0)
  }

  /// Whether the columns that make the objectID are others than the table's primary key.
  var changesObjectID: Bool {
    let inFile = present.primaryKey.map(\.name.asciiLowercased)
    return inFile
      != description.objectIDPositions.map { position -> String in
        guard position < description.properties.count else {
          return ClassDescription.generatedIDColumn.asciiLowercased
        }
        switch origins[position] {
        case .column(let name), .converted(let name, _): return name.asciiLowercased
        case .none: return ""
        }
      }
  }

  /// Whether adding columns is not enough: a column changes its name, its type or whether it may be
  /// empty, one that is left needs a value that nobody gives it any more, the objectID is another, or
  /// a reference of a column that is there.
  var needsRebuild: Bool {
    changesObjectID || changesReferences || changesOptions || left.contains { needsRelaxing($0) }
      || !redefined.isEmpty
      || zip(description.properties, origins).contains { property, origin in
        switch origin {
        case .none: return !mayBeAdded(property)
        case .converted: return true
        case .column(let name):
          guard name == property.column, let column = column(name) else { return true }
          return column.primaryKeyPlace == 0 && column.isNotNull == property.isOptional
        }
      }
  }

  /// Whether the order of the columns, or whether rows have numbers, is another than the file's
  /// description says.
  var changesOptions: Bool {
    let before = described?.options ?? TableOptions()
    return before.isWithoutRowID != description.options.isWithoutRowID
      || before.columnOrder != description.options.columnOrder
      || description.options.columnOrder != .declared && !added.isEmpty
  }

  /// The properties, by position, that say other things of their columns than the file's description
  /// does, as that has them.
  var redefined: [Int: PropertyDescription] {
    let before = described?.properties ?? []
    guard (before + description.properties).contains(where: { $0.definition != ColumnDefinition() })
    else { return [:] }
    let byColumn = Dictionary(
      before.map { ($0.column.asciiLowercased, $0) }, uniquingKeysWith: { first, _ in first })
    var redefined: [Int: PropertyDescription] = [:]
    for (position, origin) in origins.enumerated() {
      switch origin {
      case .column(let name), .converted(let name, _):
        let new = description.properties[position]
        guard let old = byColumn[name.asciiLowercased] else { continue }
        // What a length means depends on the type.
        if old.definition != new.definition
          || old.type.columnType != new.type.columnType && new.definition != ColumnDefinition()
        {
          redefined[position] = old
        }
      case .none: break
      }
    }
    return redefined
  }

  /// Whether a column that is left would refuse rows without a value for it.
  func needsRelaxing(_ column: Schema.Column) -> Bool {
    column.isNotNull && !column.hasDefault || column.primaryKeyPlace > 0 && changesObjectID
  }

  /// `ALTER TABLE … ADD COLUMN` takes no column of a key, none that must have a value that no
  /// default gives, and no reference with a default.
  private func mayBeAdded(_ property: PropertyDescription) -> Bool {
    // Nor does it look whether the rows that are there agree with a constraint.
    if !property.constraintText.isEmpty { return false }
    guard let value = property.defaultValue, !value.isNull else { return property.isOptional }
    // Texts with a NUL, say, are no text of SQL.
    return TableDefinition.literal(value) != nil
      && !description.references.contains { $0.properties.contains(property.name) }
  }
}

extension PropertyType {
  /// Whether every value of another type, as it is stored, is one of this type.
  func takesAll(of other: PropertyType) -> Bool {
    if self == other { return true }
    switch (family, other.family) {
    case (.integer, .integer):
      return integerRange.contains(other.integerRange.lowerBound)
        && integerRange.contains(other.integerRange.upperBound)
    case (.integer, .boolean): return integerRange.contains(0) && integerRange.contains(1)
    case (.real, .real): return self == .double
    case (.text, .text): return self == .string
    case (.text, .uuid), (.text, .url), (.text, .decimal), (.text, .composite):
      return self == .string
    default: return false
    }
  }
}
