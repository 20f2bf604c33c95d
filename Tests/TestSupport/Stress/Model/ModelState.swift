internal import ObjectVaultCore

/// An object in the model.
struct ModelRow: Hashable {
  var id: StoredValue
  /// The values by column name.
  ///
  /// The file chose a missing value.
  var values: [String: StoredValue]

  subscript(name: String) -> StoredValue { values[name] ?? .null }
}

/// The error of an operation that must fail, with the valid error codes.
struct ModelRefusal: Error {
  var codes: Set<VaultError.Code>
}

/// The expected content of the vault, as plain values.
struct ModelState {
  var classes: [String: ModelClass]
  /// The objects by the class's key.
  ///
  /// They are in the order of their generated numbers, or else in the order of insertion.
  private(set) var rows: [String: [ModelRow]] = [:]
  /// The greatest number that an object of a class had, by key.
  private(set) var greatest: [String: Int64] = [:]
  /// The columns of a table, including those without a property.
  var columns: [String: Set<String>] = [:]

  init(_ classes: [String: ModelClass]) {
    self.classes = classes
    for (key, type) in classes { columns[key] = Set(type.valueNames) }
  }

  func rows(_ key: String) -> [ModelRow] { rows[key] ?? [] }

  func row(_ key: String, _ id: StoredValue) -> ModelRow? {
    guard !id.isNull else { return nil }
    return rows(key).first { $0.id == id }
  }

  func type(_ key: String) -> ModelClass { classes[key]! }

  /// Returns the values in the order of the class's current columns.
  func visible(_ row: ModelRow, of key: String) -> [StoredValue] {
    type(key).valueNames.map { row[$0] }
  }

  // MARK: Writing

  /// Adds objects and checks them.
  mutating func insert(_ key: String, _ new: [ModelRow]) throws {
    var codes: Set<VaultError.Code> = []
    for row in new {
      if self.row(key, row.id) != nil { codes.insert(.duplicate) }
      append(key, row)
    }
    try check(key, new, codes)
  }

  /// Writes the values of an object.
  mutating func update(_ key: String, _ id: StoredValue, _ values: [String: StoredValue]) throws {
    guard let index = rows(key).firstIndex(where: { $0.id == id }) else {
      // If several errors apply, any of them can be reported.
      try check(key, [ModelRow(id: id, values: values)], [.noSuchObject])
      return
    }
    rows[key]![index].values.merge(values) { $1 }
    try check(key, [rows[key]![index]], [])
  }

  /// Changes the objectID of an object.
  ///
  /// References to it follow.
  mutating func changeID(_ key: String, _ id: StoredValue, to new: StoredValue) throws {
    guard var row = row(key, id) else { throw ModelRefusal(codes: [.noSuchObject]) }
    if id == new { return }
    if self.row(key, new) != nil { throw ModelRefusal(codes: [.duplicate]) }
    let isNumber = type(key).idProperty == nil
    if let property = type(key).idProperty { row.values[property] = new }
    row.id = new
    if isNumber {
      rows[key]!.removeAll { $0.id == id }
      append(key, row)
    } else {
      let index = rows(key).firstIndex { $0.id == id }!
      rows[key]![index] = row
    }
    for (other, reference) in references(to: key) {
      for index in rows(other).indices where rows[other]![index][reference.name] == id {
        rows[other]![index].values[reference.name] = new
      }
    }
  }

  private mutating func append(_ key: String, _ row: ModelRow) {
    guard case .integer(let number) = row.id else {
      rows[key, default: []].append(row)
      return
    }
    greatest[key] = max(greatest[key] ?? 0, number)
    let place = rows(key).firstIndex { other in
      if case .integer(let its) = other.id { its > number } else { false }
    }
    rows[key, default: []].insert(row, at: place ?? rows(key).endIndex)
  }

  /// Checks the unique properties and the references of written objects.
  private func check(
    _ key: String, _ written: [ModelRow], _ codes: Set<VaultError.Code>
  ) throws {
    var codes = codes
    let type = type(key)
    for name in type.unique {
      for row in written where !row[name].isNull {
        if rows(key).filter({ $0[name] == row[name] }).count > 1 { codes.insert(.duplicate) }
      }
    }
    for row in written {
      for reference in type.references where !row[reference.name].isNull {
        if self.row(reference.target, row[reference.name]) == nil {
          codes.insert(.danglingReference)
        }
      }
    }
    guard codes.isEmpty else { throw ModelRefusal(codes: codes) }
  }

  // MARK: Removing

  private func references(to key: String) -> [(String, ModelClass.Reference)] {
    classes.keys.sorted().flatMap { other in
      type(other).references.filter { $0.target == key }.map { (other, $0) }
    }
  }

  /// The effects of a removal.
  struct Removal {
    /// The removed objects, by class.
    var gone: [String: Set<StoredValue>]
    /// The number of references in remaining objects that become `nil`, by class.
    var nullified: [String: Int] = [:]
    /// The number of references in remaining objects that prevent the removal, by class.
    var denying: [String: Int] = [:]
    var refusals: Set<VaultError.Code> = []
  }

  /// Returns the effects of the removal of a class's objects.
  func removal(_ key: String, _ ids: Set<StoredValue>) -> Removal {
    var removal = Removal(gone: [key: ids])
    var next = [(key, ids)]
    while let (target, ids) = next.popLast() {
      for (other, reference) in references(to: target) where reference.rule == .cascade {
        let known = removal.gone[other] ?? []
        let found = Set(rows(other).filter { ids.contains($0[reference.name]) }.map(\.id))
          .subtracting(known)
        if found.isEmpty { continue }
        removal.gone[other] = known.union(found)
        next.append((other, found))
      }
    }
    for (target, ids) in removal.gone {
      for (other, reference) in references(to: target) where reference.rule != .cascade {
        let staying = rows(other).filter {
          ids.contains($0[reference.name]) && !(removal.gone[other]?.contains($0.id) ?? false)
        }.count
        guard staying > 0 else { continue }
        switch reference.rule {
        case .nullify: removal.nullified[other, default: 0] += staying
        case .deny:
          removal.denying[other, default: 0] += staying
          removal.refusals.insert(.removalDenied)
        default:
          removal.denying[other, default: 0] += staying
          removal.refusals.insert(.danglingReference)
        }
      }
    }
    return removal
  }

  /// Removes objects of a class, with the objects that are deleted with them.
  mutating func remove(_ key: String, _ ids: Set<StoredValue>) throws {
    let removal = removal(key, ids)
    guard removal.refusals.isEmpty else { throw ModelRefusal(codes: removal.refusals) }
    for (target, ids) in removal.gone {
      for (other, reference) in references(to: target) where reference.rule == .nullify {
        for index in rows(other).indices where ids.contains(rows[other]![index][reference.name]) {
          rows[other]![index].values[reference.name] = .null
        }
      }
    }
    for (target, ids) in removal.gone { rows[target]?.removeAll { ids.contains($0.id) } }
  }

  // MARK: Migrating

  /// Migrates the rows to other versions of the classes.
  mutating func migrate(to new: [String: ModelClass]) throws {
    for key in new.keys.sorted() {
      for property in new[key]!.properties {
        if !columns[key]!.contains(property.name) {
          if let former = property.renamedFrom.first(where: { columns[key]!.contains($0) }) {
            rename(key, former, property.name)
          } else {
            columns[key]!.insert(property.name)
            for index in rows(key).indices {
              rows[key]![index].values[property.name] = property.defaultValue ?? .null
            }
          }
        }
        for index in rows(key).indices {
          rows[key]![index].values[property.name] = try converted(
            rows[key]![index].values[property.name], to: property)
        }
      }
    }
    classes = new
    for key in new.keys.sorted() { try check(key, rows(key), []) }
  }

  private mutating func rename(_ key: String, _ old: String, _ new: String) {
    columns[key]!.remove(old)
    columns[key]!.insert(new)
    for index in rows(key).indices {
      rows[key]![index].values[new] = rows[key]![index].values.removeValue(forKey: old)
    }
  }

  private func converted(
    _ value: StoredValue?, to property: ModelClass.Property
  ) throws -> StoredValue? {
    switch (value, property.type) {
    // A column without a property got its default or nothing. The file determines the value.
    case (nil, _): property.isOptional ? nil : property.defaultValue
    case (.null?, _):
      if property.isOptional { .null } else { try required(property.defaultValue) }
    case (.integer(let number)?, .string): .text(String(number))
    case (.text(let text)?, .int64): try required(Int64(text).map { .integer($0) })
    default: value
    }
  }

  private func required(_ value: StoredValue?) throws -> StoredValue {
    guard let value else { throw ModelRefusal(codes: [.upgradeRefused]) }
    return value
  }

  /// Removes the columns without a property, and returns their names.
  mutating func dropRemoved(_ key: String) -> Set<String> {
    let removed = columns[key]!.subtracting(type(key).valueNames)
    columns[key]!.subtract(removed)
    for index in rows(key).indices {
      for name in removed { rows[key]![index].values[name] = nil }
    }
    return removed
  }

  /// Adopts a value that the file was free to choose.
  mutating func adopt(_ value: StoredValue, _ name: String, at index: Int, of key: String) {
    rows[key]![index].values[name] = value
  }
}
