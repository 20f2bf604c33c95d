import ObjectVaultCondition
import ObjectVaultCore
package import ObjectVaultModel
package import ObjectVaultStores

/// Classes that refer to each other, and whose object IDs change from one version to the next.
///
/// Every possible object ID is a permutation of the same numbers, so a reference that keeps a former
/// value leads to another object.
package struct ChangingKeys {
  /// The object ID of a class.
  fileprivate enum Key: CaseIterable {
    case generated, number, text, both
    /// The required reference and the number.
    case reference
  }

  /// The form of a class in one version.
  package struct Form {
    fileprivate var key: Key
    /// The name of the property with the number, which can change.
    fileprivate var number: String
  }

  private struct Reference {
    let name: String
    let target: Int
    /// The place of the target of each object; nil without a target.
    var targets: [Int?]
  }

  private struct Table {
    var numbers: [Int]
    var texts: [String]
    var references: [Reference]
  }

  private static let count = 4
  private let tables: [Table]

  /// Chooses the references and the values of the objects.
  package init(_ random: inout SeededGenerator) {
    let places = Array(0..<5)
    tables = (0..<Self.count).map { table in
      // The first reference has a target in every case, and can be a part of the object ID.
      var targets: [Int] = table > 0 ? [Int.random(in: 0..<table, using: &random)] : []
      targets.append(Int.random(in: 0..<Self.count, using: &random))
      return Table(
        numbers: places.map { $0 + 1 }.shuffled(using: &random),
        texts: places.map { "\($0 + 1)" }.shuffled(using: &random),
        references: targets.enumerated().map { number, target in
          let isRequired = table > 0 && number == 0
          return Reference(
            name: isRequired ? "owner" : "other", target: target,
            targets: places.map { _ in
              isRequired || !random.oneIn(3) ? random.pick(places) : nil
            })
        })
    }
  }

  /// Chooses the forms of the next version.
  package func forms(_ random: inout SeededGenerator) -> [Form] {
    (0..<Self.count).map { _ in
      Form(key: random.pick(Key.allCases), number: random.pick(["number", "rank"]))
    }
  }

  // MARK: Descriptions

  private func name(_ table: Int) -> String { "Class\(table)" }

  private func number(_ form: Form) -> PropertyDescription {
    PropertyDescription(
      form.number, Int64.self, renamedFrom: [form.number == "rank" ? "number" : "rank"])
  }

  /// Returns the properties of the object ID; none for a generated one.
  private func keyProperties(_ table: Int, _ forms: [Form]) -> [PropertyDescription] {
    let (number, text) = (number(forms[table]), PropertyDescription("text", String.self))
    switch forms[table].key {
    case .generated: return []
    case .number: return [number]
    case .text: return [text]
    case .both: return [text, number]
    case .reference:
      guard table > 0 else { return [number] }
      return parts(of: tables[table].references[0], forms).properties + [number]
    }
  }

  /// Returns the properties of a reference and the columns that they refer to.
  private func parts(
    of reference: Reference, _ forms: [Form]
  ) -> (properties: [PropertyDescription], columns: [String]) {
    let isOptional = reference.name == "other"
    let key = keyProperties(reference.target, forms)
    if key.isEmpty {
      let property = PropertyDescription(reference.name, type: .int64, isOptional: isOptional)
      return ([property], [ClassDescription.generatedIDColumn])
    }
    return (
      key.map { part in
        PropertyDescription(
          key.count == 1 ? reference.name : "\(reference.name)_\(part.name)", type: part.type,
          isOptional: isOptional)
      }, key.map(\.column)
    )
  }

  /// Returns the classes in some forms.
  package func classes(_ forms: [Form]) -> [ClassDescription] {
    tables.indices.map { table in
      let references = tables[table].references
      let parts = references.map { self.parts(of: $0, forms) }
      return ClassDescription(
        name(table),
        properties: [
          PropertyDescription("tag", Int64.self),
          number(forms[table]), PropertyDescription("text", String.self),
        ] + parts.flatMap(\.properties),
        objectID: keyProperties(table, forms).map(\.name),
        references: zip(references, parts).map { reference, parts in
          ReferenceDescription(
            reference.name, properties: parts.properties.map(\.name),
            target: name(reference.target), targetColumns: parts.columns)
        })
    }
  }

  // MARK: Objects

  package typealias Stores = [ObjectStore<DynamicObject>]

  private func keys(_ table: Int, _ stores: Stores, _ forms: [Form]) throws -> [Int: [StoredValue]]
  {
    let names = keyProperties(table, forms).map(\.name)
    return Dictionary(
      uniqueKeysWithValues: try stores[table].all().map { object in
        guard case .integer(let tag) = try object.value(of: "tag") else { return (-1, []) }
        return (
          Int(tag),
          names.isEmpty
            ? [object.generatedID.map(StoredValue.integer) ?? .null]
            : try names.map { try object.value(of: $0) }
        )
      })
  }

  /// Stores the objects.
  package func insert(into stores: Stores, _ forms: [Form]) throws {
    for (table, content) in tables.enumerated() {
      for place in content.numbers.indices {
        var object = try DynamicObject(of: stores[table].classDescription)
        try object.set("tag", to: .integer(Int64(place)))
        try object.set(forms[table].number, to: .integer(Int64(content.numbers[place])))
        try object.set("text", to: .text(content.texts[place]))
        // The other references can lead to objects that are stored later.
        for reference in content.references where reference.name == "owner" {
          let keys = try keys(reference.target, stores, forms)
          try set(reference, of: &object, at: place, keys, forms)
        }
        try stores[table].insert(object)
      }
    }
    for (table, content) in tables.enumerated() {
      for reference in content.references where reference.name == "other" {
        let keys = try keys(reference.target, stores, forms)
        for var object in try stores[table].all() {
          guard case .integer(let tag) = try object.value(of: "tag") else { continue }
          try set(reference, of: &object, at: Int(tag), keys, forms)
          try stores[table].update(object)
        }
      }
    }
  }

  private func set(
    _ reference: Reference, of object: inout DynamicObject, at place: Int,
    _ keys: [Int: [StoredValue]], _ forms: [Form]
  ) throws {
    guard let target = reference.targets[place], let key = keys[target] else { return }
    for (property, value) in zip(parts(of: reference, forms).properties, key) {
      try object.set(property.name, to: value)
    }
  }

  /// Compares the stored objects with those that were inserted.
  ///
  /// - Returns: A text for each difference.
  package func differences(in stores: Stores, _ forms: [Form]) throws -> [String] {
    var differences: [String] = []
    for (table, content) in tables.enumerated() {
      let objects = try stores[table].all()
      if objects.count != content.numbers.count {
        differences.append("\(name(table)) has \(objects.count) objects")
      }
      for object in objects {
        guard case .integer(let tag) = try object.value(of: "tag") else { continue }
        let place = Int(tag)
        let (number, text) = (
          try object.value(of: forms[table].number), try object.value(of: "text")
        )
        if number != .integer(Int64(content.numbers[place])) || text != .text(content.texts[place])
        {
          differences.append("\(name(table)) \(place): \(number), \(text)")
        }
        for reference in content.references {
          let keys = try keys(reference.target, stores, forms)
          let properties = parts(of: reference, forms).properties
          let found = try properties.map { try object.value(of: $0.name) }
          let expected =
            reference.targets[place].flatMap { keys[$0] } ?? properties.map { _ in .null }
          if found != expected {
            differences.append(
              "\(name(table)) \(place): \(reference.name) is \(found) instead of \(expected)")
          }
        }
      }
    }
    return differences
  }
}
