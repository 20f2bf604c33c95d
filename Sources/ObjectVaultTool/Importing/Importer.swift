import ObjectVaultTerminal
import ObjectVaultCore

/// An import of the records of a file into a class, in one transaction: all of them or none.
struct Importer {
  let vault: Vault
  let className: String
  var objectID: [String] = []
  var overrides: [TypeOverride] = []
  var progress = ProgressReporter(.none)

  struct Result {
    var count: Int
    /// The class that was created; `nil` if it existed before.
    var newClass: ClassDescription?
    /// The probable mistakes in the file, with their places.
    var warnings: [String] = []
  }

  /// Imports the records.
  ///
  /// `input` is the name of the file in errors.
  func run(_ source: any RecordSource, input: String) throws -> Result {
    let existing = try vault.knownClass(named: className)
    let description: ClassDescription
    var store: ObjectStore<DynamicObject>?
    var warnings: [String] = []
    if let existing {
      try check(existing)
      description = existing
      // An existing table, above all one of another program, stays as it is.
      store = try vault.presentStore(of: existing)
    } else {
      let inference = try infer(source)
      description = try inference.description(input: input)
      warnings = inference.warnings
    }
    // The table of a new class is created in the transaction, so that a failure rolls it back.
    // An object can refer to a later one.
    let count = try vault.transaction(deferringReferences: true) {
      try insert(source, into: store ?? createdStore(of: description, input: input))
    }
    progress.finish()
    return Result(
      count: count, newClass: existing == nil ? description : nil, warnings: warnings)
  }

  // MARK: Class

  private func infer(_ source: any RecordSource) throws -> ClassInference {
    var inference = ClassInference(name: className, objectID: objectID, overrides: overrides)
    inference.isCSV = source is CSVRecords
    try source.makeRewindable()
    if let header = try source.header { inference.addHeader(header) }
    while let record = try source.next() {
      try inference.add(record)
      progress.update("reading", source.progress)
    }
    progress.endPhase(source.progress)
    try source.rewind()
    return inference
  }

  /// Creates a class that was derived from the file.
  ///
  /// The library's remedies are for classes that are declared in Swift.
  private func createdStore(
    of description: ClassDescription, input: String
  ) throws -> ObjectStore<DynamicObject> {
    do {
      return try vault.store(of: description)
    } catch let error as VaultError {
      guard let reason = error.underlying as? InvalidClass else { throw error }
      throw ToolError(
        .badData,
        "\(input): class '\(PrintableText.name(className))' cannot be created: "
          + "\(PrintableText.escaped(reason.problem)). Change the properties in the file, or use "
          + "another class name.")
    }
  }

  /// Throws an error if the command line contradicts the existing class.
  private func check(_ existing: ClassDescription) throws {
    let name = PrintableText.name(className)
    if !objectID.isEmpty {
      var names: [String] = []
      if case .properties(let positions) = existing.objectID {
        names = positions.map { existing.properties[$0].name }
      }
      guard names == objectID else {
        let actual =
          names.isEmpty ? "generated" : names.map { "'\($0)'" }.joined(separator: ", ")
        throw ToolError(
          .usage,
          "Class '\(name)' exists, and its objectID is \(PrintableText.escaped(actual)). Omit "
            + "--object-id, or import into a new class.")
      }
    }
    for override in overrides {
      guard let property = existing.properties.first(where: { $0.name == override.name }) else {
        throw ToolError(
          .usage,
          "--type names '\(PrintableText.name(override.name))', which class '\(name)' does not "
            + "have. Correct the name."
        )
      }
      guard property.type == override.type, property.isOptional || !override.isOptional else {
        throw ToolError(
          .usage,
          "Class '\(name)' exists, and its property '\(PrintableText.name(property.name))' is "
            + "\(property.typeName). Omit --type, or import into a new class.")
      }
    }
  }

  // MARK: Objects

  private func insert(
    _ source: any RecordSource, into store: ObjectStore<DynamicObject>
  ) throws -> Int {
    var reader = try ObjectReader(store.classDescription)
    var batch = ImportBatch()
    var count = 0
    do {
      while let record = try source.next() {
        batch.add(try reader.object(of: record), from: record.place)
        count += 1
        if batch.isFull { try batch.insert(into: store) }
        progress.update("importing", source.progress)
      }
    } catch {
      // A fault of an earlier record is reported first.
      try batch.insert(into: store)
      throw error
    }
    try batch.insert(into: store)
    progress.endPhase(source.progress)
    return count
  }
}

/// Objects that are inserted together: up to 1,000 or about 4 MiB.
struct ImportBatch {
  private var objects: [DynamicObject] = []
  private var places: [ImportPlace] = []
  private var byteCount = 0

  private static let byteLimit = 4 << 20

  var isFull: Bool { objects.count == 1000 || byteCount >= Self.byteLimit }

  mutating func add(_ object: DynamicObject, from place: ImportPlace) {
    objects.append(object)
    places.append(place)
    byteCount += object.allValues.reduce(0) { $0 + $1.byteCount }
  }

  /// Inserts the objects and removes them from the batch.
  ///
  /// - Throws: The error about the first object that cannot be inserted, with its place.
  mutating func insert(into store: ObjectStore<DynamicObject>) throws {
    guard !objects.isEmpty else { return }
    defer { self = ImportBatch() }
    do {
      try store.insert(contentsOf: objects)
    } catch is VaultError {
      // None was inserted. One after another shows which one fails.
      for (object, place) in zip(objects, places) {
        do {
          try store.insert(object)
        } catch let error as VaultError {
          throw Self.placed(error, at: place)
        }
      }
    }
  }

  /// Returns the error about one record with the place of the record.
  private static func placed(_ error: VaultError, at place: ImportPlace) -> any Error {
    let names = error.propertyNames.map(PrintableText.name).joined(separator: ", ")
    return switch error.code {
    case .duplicate:
      ToolError(
        .badData,
        "\(place): its objectID or the value of a unique property already exists"
          + "\(names.isEmpty ? "" : " (\(names))"). Correct it in the file, or remove it from there."
      )
    case .invalidValue, .constraint: ToolError(.badData, "\(place): \(error.message)")
    default: error
    }
  }
}

/// A converter of records to objects of a class.
struct ObjectReader {
  private let description: ClassDescription
  private let template: DynamicObject
  private let positions: [String: Int]
  private let names: [String]
  private let types: [PropertyType]
  /// The number of the last record that named each property, used to find duplicate names.
  private var stamps: [Int]
  private var records = 0

  init(_ description: ClassDescription) throws {
    self.description = description
    template = try DynamicObject(of: description)
    positions = Dictionary(
      description.properties.enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first })
    names = description.properties.map(\.name)
    types = description.properties.map(\.type)
    stamps = Array(repeating: 0, count: description.properties.count)
  }

  mutating func object(of record: ImportRecord) throws -> DynamicObject {
    records += 1
    var object = template
    var expected = 0
    for (name, value) in record.members {
      guard let position = position(of: name, expected: expected) else {
        try assignGeneratedID(name, value, to: &object, at: record.place)
        continue
      }
      expected = position + 1
      guard stamps[position] != records else {
        throw failure(record.place, position, "occurs twice")
      }
      stamps[position] = records
      do {
        try object.set(
          at: position,
          to: value.stored(
            as: types[position], isOptional: description.properties[position].isOptional))
      } catch let refusal as ExchangedValue.Refusal {
        let type = description.properties[position].typeName
        throw failure(record.place, position, "is \(type), and \(refusal.reason)")
      } catch let error as VaultError {
        throw ToolError(.badData, "\(record.place): \(error.message)")
      }
    }
    return object
  }

  /// Returns the position of a property, most often the one after the previous member.
  private func position(of name: String, expected: Int) -> Int? {
    if expected < names.count, names[expected] == name { return expected }
    return positions[name]
  }

  private func assignGeneratedID(
    _ name: String, _ value: ImportValue, to object: inout DynamicObject, at place: ImportPlace
  ) throws {
    guard description.objectID == .generated, name == ClassDescription.generatedIDColumn else {
      throw ToolError(
        .badData,
        "\(place): class '\(PrintableText.name(description.name))' has no property "
          + "'\(PrintableText.name(name))'.")
    }
    do {
      let id = try value.stored(as: .int64, isOptional: true)
      if !id.isNull { object.assignObjectID(DynamicObjectID(id)) }
    } catch let refusal as ExchangedValue.Refusal {
      throw ToolError(.badData, "\(place): the objectID is a number, and \(refusal.reason).")
    }
  }

  private func failure(
    _ place: ImportPlace, _ position: Int, _ what: String
  ) -> ToolError {
    ToolError(.badData, "\(place): property '\(PrintableText.name(names[position]))' \(what).")
  }
}

extension PropertyDescription {
  /// The type as written in `--type`.
  var typeName: String { type.rawValue + (isOptional ? "?" : "") }
}
