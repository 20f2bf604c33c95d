import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

/// The steps that make a table of the file suitable for the objects of a class.
///
/// They give the source column of each property, the columns to add, and whether the table must be
/// rebuilt.
struct TableUpgrade {
  let description: ClassDescription
  /// The columns of the present table.
  let present: [Schema.Column]
  /// The class when the table was last used, if the file records it.
  let described: ClassDescription?
  /// The foreign keys of the present table, with the names that tables and columns get.
  private(set) var foreignKeys: [TableForeignKey]
  /// The conversions that the class declares.
  let conversions: [PropertyConversion]
  /// The former properties by the names of their columns in lower case.
  private var formerProperties: [String: FormerProperty]
  /// The origin of each property, in order.
  private(set) var origins: [Origin] = []
  /// The new names of renamed columns, by the old names in lower case.
  ///
  /// Every step that compares columns, indexes or references of the file with the class uses the new
  /// names: a column can get the name that another one gives up.
  private(set) var renamed: [String: String] = [:]

  /// Creates the steps.
  ///
  /// - Parameters:
  ///   - description: The class.
  ///   - present: The columns of the present table.
  ///   - described: The class when the table was last used, if the file records it.
  ///   - removed: The properties that were removed before and whose columns remain.
  ///   - foreignKeys: The foreign keys of the present table.
  ///   - conversions: The conversions that the class declares.
  init(
    description: ClassDescription, present: [Schema.Column], described: ClassDescription?,
    removed: [FormerProperty] = [], foreignKeys: [TableForeignKey] = [],
    conversions: [PropertyConversion] = []
  ) {
    self.description = description
    self.present = present
    self.described = described
    self.foreignKeys = foreignKeys
    self.conversions = conversions
    formerProperties = Dictionary(
      ((described?.formerProperties ?? []) + removed).map {
        ($0.property.column.asciiLowercased, $0)
      }, uniquingKeysWith: { first, _ in first })
    origins = findOrigins()
    renamed = findRenamed()
    for index in self.foreignKeys.indices {
      self.foreignKeys[index].columns = foreignKeys[index].columns.map(newName)
    }
  }

  /// Returns the name that a column of the file gets, which is its present one if it is not renamed.
  func newName(_ column: String) -> String { renamed[column.asciiLowercased] ?? column }

  /// The new names that belong to other columns of the file before the upgrade.
  var reusedNames: Set<String> {
    Set(renamed.filter { $0.key != $0.value.asciiLowercased && column($0.value) != nil }.values)
  }

  /// Gives the targets of the foreign keys and of removed references their new names.
  ///
  /// - Parameter names: The new names of tables and of their columns.
  mutating func redirect(to names: [TableNames]) {
    formerProperties = formerProperties.mapValues { property in
      var property = property
      property.redirect(to: names)
      return property
    }
    for index in foreignKeys.indices {
      let key = foreignKeys[index]
      guard
        let target = names.first(where: { $0.former.asciiLowercased == key.table.asciiLowercased })
      else { continue }
      foreignKeys[index].table = target.name
      foreignKeys[index].targetColumns = key.targetColumns.map {
        target.renamed[$0.asciiLowercased] ?? $0
      }
    }
  }

  /// Returns the property that a column had when the class was last described, also if it was
  /// removed from the class before; `nil` if the file does not record one.
  func former(ofColumn name: String) -> FormerProperty? {
    formerProperties[name.asciiLowercased]
  }

  /// The source of a property's values.
  enum Origin: Hashable {
    /// The column with this name, unchanged.
    case column(String)
    /// The column with this name, converted from another type or storage form.
    case converted(String, from: PropertyType?)
    /// No source: the property is new.
    case none

    /// The name of the column; `nil` for a new property.
    var column: String? {
      switch self {
      case .column(let name), .converted(let name, _): name
      case .none: nil
      }
    }

    var isConverted: Bool {
      if case .converted = self { true } else { false }
    }
  }

  private func findOrigins() -> [Origin] {
    let moved = moved
    return description.properties.indices.map { position in
      let property = description.properties[position]
      let name = moved[position] ?? property.column
      return column(name).map { origin(property, $0) } ?? .none
    }
  }

  private func findRenamed() -> [String: String] {
    var renamed: [String: String] = [:]
    for (property, origin) in zip(description.properties, origins) {
      guard let name = origin.column, !name.hasSameBytes(as: property.column) else { continue }
      renamed[name.asciiLowercased] = property.column
    }
    // The column of a removed property gives its name to the property that was renamed to it.
    let new = Set(renamed.values.map(\.asciiLowercased))
    var number = 0
    for column in left where new.contains(column.name.asciiLowercased) {
      repeat { number += 1 } while self.column(Self.displacedPrefix + "\(number)") != nil
      renamed[column.name.asciiLowercased] = Self.displacedPrefix + "\(number)"
    }
    // The positions in an order have the name of the reference's column.
    for (old, new) in renamed {
      let order = ListOrder.column(old).asciiLowercased
      if column(order) != nil { renamed[order] = ListOrder.column(new) }
    }
    for (old, new) in changedReferences(renamed) {
      let order = ListOrder.column(old).asciiLowercased
      guard column(order) != nil, renamed[order] == nil, column(ListOrder.column(new)) == nil
      else { continue }
      renamed[order] = ListOrder.column(new)
    }
    return renamed
  }

  /// Returns the first columns of references that have other columns than before, with the new ones.
  private func changedReferences(_ renamed: [String: String]) -> [(old: String, new: String)] {
    let firsts = description.references.map { description.columns(of: $0.properties).first }
    return zip(description.references, firsts).compactMap { reference, new in
      guard let new, let described, let former = described.reference(named: reference.name),
        let old = described.columns(of: former.properties).first,
        !firsts.contains(renamed[old.asciiLowercased] ?? old)
      else { return nil }
      return (old, new)
    }
  }

  /// The prefix of the columns of removed properties whose names other properties have.
  private static let displacedPrefix = "ov_former_"

  /// The columns that are renamed to properties, by the positions of the properties.
  ///
  /// A name that one property gives up may become another property's name at the same time, also in
  /// a cycle. A column that a property retains is never moved to another property.
  private var moved: [Int: String] {
    var moved: [Int: String] = [:]
    for (position, property) in description.properties.enumerated() {
      // If the file's description already lists this former name, the column was renamed before,
      // unless it is the column of another property, which gives its name up now.
      let owner = former(ofColumn: property.column)?.property
      let isOfAnother =
        owner.map { owner in
          owner.name != property.name
            && description.properties.contains { $0.name == owner.name }
        } ?? false
      let done = isOfAnother ? nil : owner?.renamedFrom
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

  /// Returns whether a property can take its former column.
  ///
  /// No other property may retain or take that column. A column with the property's own name must
  /// be renamed too, or belong to a property that was removed while the former name was in use.
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
      || described?.properties.contains { $0.column.asciiLowercased == former } ?? false
  }

  private func origin(_ property: PropertyDescription, _ column: Schema.Column) -> Origin {
    let oldType = former(ofColumn: column.name)?.property.type
    let isFitting =
      property.isKept(by: column.affinity)
    let takesAll =
      oldType.map { property.type.takesAll(of: $0) } ?? !mayHaveOtherValues(column, for: property)
    let isGiven = oldType != property.type && givenConversion(of: property, from: oldType) != nil
    return isFitting && takesAll && !isGiven
      ? .column(column.name) : .converted(column.name, from: oldType)
  }

  /// Returns whether a column that the file does not describe may have values of another type.
  ///
  /// Earlier versions did not record removed properties, and other programs add columns. Sealed
  /// values are checked when they are opened.
  private func mayHaveOtherValues(
    _ column: Schema.Column, for property: PropertyDescription
  ) -> Bool {
    described != nil && property.sealing == nil && !isGeneratedID(column)
  }

  /// Returns the conversion that the class declares for a property that had this type.
  func givenConversion(
    of property: PropertyDescription, from oldType: PropertyType?
  ) -> PropertyConversion? {
    conversions.first { $0.property == property.name && $0.oldType == oldType }
  }

  func column(_ name: String) -> Schema.Column? {
    present.first { $0.name.asciiLowercased == name.asciiLowercased }
  }

  /// The columns that no property has any more.
  ///
  /// They stay in the table, with their values.
  var left: [Schema.Column] {
    let used = Set(origins.compactMap(\.column?.asciiLowercased))
    return present.filter { column in
      !used.contains(column.name.asciiLowercased)
        && !(description.objectID == .generated && isGeneratedID(column))
    }
  }

  /// The former properties whose columns no property has any more.
  var removed: [FormerProperty] {
    left.compactMap { column in
      guard var one = former(ofColumn: column.name) else { return nil }
      one.property.column = newName(one.property.column)
      one.references += references(ofColumn: one.property.column)
      if let key = one.property.sealing?.keyProperty {
        one.property.sealing = Sealing.by(newName(key))
      }
      one.property.definition.constraints = nil
      if case .atMost(let limit)? = one.property.definition.length {
        one.property.definition.length = .declared(limit)
      }
      return one
    }
  }

  /// Returns the parts of foreign keys that a column has, by its new name.
  private func references(ofColumn column: String) -> [FormerReference] {
    foreignKeys.flatMap { key in
      zip(key.columns, key.targetColumns)
        .filter { $0.0.asciiLowercased == column.asciiLowercased }
        .map { FormerReference(target: key.table, column: $0.1) }
    }
  }

  /// The former properties whose columns no property has any more, but still have constraints.
  ///
  /// New rows have no value for such a column, so its constraints could reject all of them.
  var constrainedLeft: [PropertyDescription] {
    left.compactMap { former(ofColumn: $0.name)?.property }.filter { !$0.constraintText.isEmpty }
  }

  /// Whether columns of the table have sealed values, also those of removed properties.
  var hasSealed: Bool {
    present.contains { former(ofColumn: $0.name)?.property.sealing != nil }
  }

  private func isGeneratedID(_ column: Schema.Column) -> Bool {
    column.name == ClassDescription.generatedIDColumn && column.primaryKeyPlace == 1
  }

  /// The properties that have no column in the table.
  var added: [PropertyDescription] {
    zip(description.properties, origins).filter { $0.1 == .none }.map(\.0)
  }

  /// Whether the object ID consists of other columns than the table's primary key.
  var changesObjectID: Bool {
    let inFile = present.primaryKey.map(\.name.asciiLowercased)
    return inFile
      != description.objectIDPositions.map { position -> String in
        guard position < description.properties.count else {
          return ClassDescription.generatedIDColumn.asciiLowercased
        }
        return origins[position].column?.asciiLowercased ?? ""
      }
  }

  /// Whether the table must be rebuilt because adding columns is not enough.
  ///
  /// This is so if a column changes its name, its type or its nullability, if a remaining column
  /// requires a value that no property provides, or if the object ID, the reference of an existing
  /// column or the table options change.
  var needsRebuild: Bool {
    changesObjectID || changesReferences || changesOptions || left.contains { needsRelaxing($0) }
      || !redefined.isEmpty || !constrainedLeft.isEmpty
      || zip(description.properties, origins).contains { property, origin in
        switch origin {
        case .none: return !mayBeAdded(property)
        case .converted: return true
        case .column(let name):
          guard name.hasSameBytes(as: property.column), let column = column(name) else {
            return true
          }
          // A property that was sealed before keeps its default until another change.
          if former(ofColumn: name)?.property.sealing == nil,
            hasPlaintextDefault(column, property.sealing)
          {
            return true
          }
          return column.primaryKeyPlace == 0 && column.isNotNull == property.isOptional
        }
      }
  }

  /// Whether the column order or the `WITHOUT ROWID` option differs from the file's description.
  var changesOptions: Bool {
    let before = described?.options ?? TableOptions()
    return before.isWithoutRowID != description.options.isWithoutRowID
      || before.columnOrder != description.options.columnOrder
      || description.options.columnOrder != .declared && !(added.isEmpty && renamed.isEmpty)
  }

  /// The former properties, by current position, if their column definition in the file differs.
  var redefined: [Int: PropertyDescription] {
    var redefined: [Int: PropertyDescription] = [:]
    for (position, origin) in origins.enumerated() {
      guard let old = origin.column.flatMap({ former(ofColumn: $0) })?.property else { continue }
      let new = description.properties[position]
      // The meaning of a length depends on the type.
      if old.definition != new.definition
        // The constraint of a length is named after the column.
        || old.column != new.column && new.definition.length?.isChecked ?? false
        || old.type.columnType != new.type.columnType && new.definition != ColumnDefinition()
      {
        redefined[position] = old
      }
    }
    return redefined
  }

  /// Returns whether a renamed property has another default than before, or a sealed one has any.
  ///
  /// The default is a part of the property, not of the column.
  func changesDefault(at position: Int) -> Bool {
    let property = description.properties[position]
    guard let name = origins[position].column, let column = column(name) else { return false }
    if hasPlaintextDefault(column, property.sealing) { return true }
    guard !name.hasSameBytes(as: property.column), let old = former(ofColumn: name)?.property
    else { return false }
    return !property.hasColumnDefault && old.defaultValue != property.defaultValue
  }

  /// Returns whether a remaining column would reject rows that have no value for it, or would store
  /// a default in them that is not sealed.
  func needsRelaxing(_ column: Schema.Column) -> Bool {
    column.isNotNull && !column.hasDefault || column.primaryKeyPlace > 0 && changesObjectID
      || hasPlaintextDefault(column)
  }

  /// Returns whether the column of a removed sealed property has a default.
  func hasPlaintextDefault(_ column: Schema.Column) -> Bool {
    hasPlaintextDefault(column, former(ofColumn: column.name)?.property.sealing)
  }

  /// Returns whether a column of sealed values has a default, which would be stored in plaintext.
  private func hasPlaintextDefault(_ column: Schema.Column, _ sealing: Sealing?) -> Bool {
    sealing != nil && column.hasDefault
  }

  /// Returns whether `ALTER TABLE … ADD COLUMN` can add the column of a property.
  ///
  /// The statement accepts no key column, no required column without a default, and no reference
  /// with a default.
  private func mayBeAdded(_ property: PropertyDescription) -> Bool {
    // The statement also does not check existing rows against a constraint.
    if !property.constraintText.isEmpty { return false }
    guard let value = property.defaultValue, !value.isNull else { return property.isOptional }
    // Some values, such as a text with a NUL, cannot be written as an SQL literal.
    return SQLiteCatalog().literal(value) != nil
      && !description.references.contains { $0.properties.contains(property.name) }
  }
}

extension PropertyType {
  /// Returns whether every stored value of another type is a value of this type.
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
