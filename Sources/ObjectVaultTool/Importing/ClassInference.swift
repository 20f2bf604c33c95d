import ObjectVaultTerminal
import ObjectVaultCore

/// The inference of a class from the values of its records.
///
/// Integers become Int, numbers Double, true and false Bool, text String, and objects and arrays
/// JSON. A property that is nil or missing in some record is optional. CSV has only text; its
/// unquoted fields count as the type that they look like.
struct ClassInference {
  private enum Kind: Int, CaseIterable {
    case integer, number, bool, text, composite

    var words: String {
      switch self {
      case .integer: "an integer"
      case .number: "a number"
      case .bool: "true or false"
      case .text: "text"
      case .composite: "an array or object"
      }
    }
  }

  private struct Evidence {
    var name: String
    /// The first place of a value of each kind.
    private var places = [ImportPlace?](repeating: nil, count: Kind.allCases.count)
    /// The number of values of each kind.
    private var counts = [Int](repeating: 0, count: Kind.allCases.count)
    var firstNil: ImportPlace?
    /// The number of the last record that had the property.
    var lastRecord = 0

    init(name: String, firstNil: ImportPlace?) {
      self.name = name
      self.firstNil = firstNil
    }

    mutating func add(_ kind: Kind, at place: ImportPlace) {
      if counts[kind.rawValue] == 0 { places[kind.rawValue] = place }
      counts[kind.rawValue] += 1
    }

    /// The kinds of the values, with the first place of each.
    var kinds: [Kind: ImportPlace] {
      Dictionary(
        Kind.allCases.compactMap { kind in places[kind.rawValue].map { (kind, $0) } },
        uniquingKeysWith: { first, _ in first })
    }

    func count(_ kinds: Set<Kind>) -> Int { kinds.reduce(0) { $0 + counts[$1.rawValue] } }
  }

  let name: String
  let objectID: [String]
  let overrides: [TypeOverride]
  private var evidence: [Evidence] = []
  private var positions: [String: Int] = [:]
  private var records = 0
  private var firstPlace: ImportPlace?

  init(name: String, objectID: [String], overrides: [TypeOverride]) {
    self.name = name
    self.objectID = objectID
    self.overrides = overrides
  }

  /// Adds the names that every record will have.
  mutating func addHeader(_ names: [String]) {
    for (index, name) in names.enumerated() { _ = position(of: name, expected: index) }
  }

  mutating func add(_ record: ImportRecord) throws {
    records += 1
    if firstPlace == nil { firstPlace = record.place }
    for (index, (name, value)) in record.members.enumerated() {
      let position = position(of: name, expected: index)
      if evidence[position].lastRecord == records {
        throw ToolError(
          .badData, "\(record.place): property '\(PrintableText.name(name))' occurs twice.")
      }
      evidence[position].lastRecord = records
      if let kind = Self.kind(of: value) {
        evidence[position].add(kind, at: record.place)
      } else if evidence[position].firstNil == nil {
        evidence[position].firstNil = record.place
      }
    }
    for position in evidence.indices
    where evidence[position].lastRecord != records && evidence[position].firstNil == nil {
      evidence[position].firstNil = record.place
    }
  }

  /// Returns the position of a property, which most records have at the same place.
  private mutating func position(of name: String, expected: Int) -> Int {
    if expected < evidence.count, evidence[expected].name == name { return expected }
    if let position = positions[name] { return position }
    positions[name] = evidence.count
    // A property that appears later was missing before.
    evidence.append(Evidence(name: name, firstNil: records > 1 ? firstPlace : nil))
    return evidence.count - 1
  }

  private static func kind(of value: ImportValue) -> Kind? {
    switch value {
    case .json(.null): nil
    case .json(.bool): .bool
    case .json(.number(let digits)): isInteger(digits) ? .integer : .number
    case .json(.string): .text
    case .json(.array), .json(.object): .composite
    case .field(let field) where field.isNil: nil
    case .field(let field) where field.isQuoted: .text
    case .field(let field):
      if field.text == "true" || field.text == "false" {
        .bool
      } else {
        NumberText(field.text).map { $0.isInteger ? .integer : .number } ?? .text
      }
    }
  }

  private static func isInteger(_ digits: String) -> Bool {
    digits.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") }
  }

  // MARK: Class

  /// Returns the class that fits all added records.
  func description(input: String) throws -> ClassDescription {
    guard !evidence.isEmpty else {
      throw ToolError(
        .badData,
        "\(input) contains no objects with properties, so class '\(name)' cannot be created.")
    }
    try checkNames(overrides.map(\.name), option: "--type")
    try checkNames(objectID, option: "--object-id")
    var properties: [PropertyDescription] = []
    for found in evidence {
      let override = overrides.last { $0.name == found.name }
      if isGeneratedID(found.name) {
        try checkGeneratedID(found)
        continue
      }
      properties.append(
        PropertyDescription(
          found.name, type: try override?.type ?? type(of: found),
          isOptional: override?.isOptional == true || records == 0 || found.firstNil != nil))
    }
    for (index, property) in properties.enumerated() where objectID.contains(property.name) {
      try require(property, evidence: evidence.first { $0.name == property.name })
      // A header without records leaves this open.
      if records == 0 { properties[index].isOptional = false }
    }
    return ClassDescription(name, properties: properties, objectID: objectID)
  }

  /// Returns whether the column has generated objectIDs, as in the export of such a class.
  private func isGeneratedID(_ name: String) -> Bool {
    objectID.isEmpty && name == ClassDescription.generatedIDColumn
  }

  private func checkGeneratedID(_ found: Evidence) throws {
    if found.firstNil == nil, found.kinds.keys.allSatisfy({ $0 == .integer }) { return }
    let place = found.kinds.first { $0.key != .integer }?.value ?? found.firstNil
    throw ToolError(
      .badData,
      "\(place.map(\.description) ?? name): 'objectID' is the name of generated IDs, and this is "
        + "not an integer. Use --object-id objectID to make it a property of the class.")
  }

  private func require(_ property: PropertyDescription, evidence: Evidence?) throws {
    guard let place = evidence?.firstNil,
      objectID.count > 1 || property.type.family != .integer
    else { return }
    throw ToolError(
      .badData,
      "\(place): property '\(PrintableText.name(property.name))' of the objectID has no value.")
  }

  private func checkNames(_ names: [String], option: String) throws {
    for name in names where positions[name] == nil {
      let known = evidence.map { "'\(PrintableText.name($0.name))'" }.joined(separator: ", ")
      throw ToolError(
        .usage,
        "\(option) names '\(PrintableText.name(name))', which no object of the file has. Use one "
          + "of \(known).")
    }
  }

  private func type(of found: Evidence) throws -> PropertyType {
    let kinds = found.kinds
    if kinds.count <= 1 {
      switch kinds.first?.key {
      case .integer: return .int
      case .number: return .double
      case .bool: return .bool
      case .composite: return .json
      case .text, nil: return .string
      }
    }
    if kinds.keys.allSatisfy({ $0 == .integer || $0 == .number }) { return .double }
    // A CSV column that looks like a number in some lines only is text in all lines.
    if isCSV { return .string }
    let two = kinds.sorted { $0.value.number < $1.value.number }.prefix(2)
    let places = two.map { "\($0.key.words) in \($0.value.unit.rawValue) \($0.value.number)" }
    let name = PrintableText.name(found.name)
    throw ToolError(
      .badData,
      "\(two.first?.value.input ?? ""): property '\(name)' is "
        + "\(places.joined(separator: " and ")). Use --type '\(name):JSON' to store both as they "
        + "are.")
  }

  /// Whether the records come from CSV.
  var isCSV = false

  /// The warnings about CSV columns that are text because of a few values.
  ///
  /// They name the place of the first such value, but never quote it.
  var warnings: [String] {
    guard isCSV else { return [] }
    return evidence.enumerated().compactMap { column, found in
      guard !overrides.contains(where: { $0.name == found.name }) else { return nil }
      return Self.warning(found, column: column + 1)
    }
  }

  private static func warning(_ found: Evidence, column: Int) -> String? {
    let total = found.count(Set(Kind.allCases))
    for (kinds, what) in [
      (Set([Kind.integer, .number]), "number"), (Set([Kind.bool]), "truth value"),
    ] {
      let others = total - found.count(kinds)
      // A column of text contains numbers by chance; a column of numbers contains text by mistake.
      guard others > 0, found.count(kinds) > others,
        let place = found.kinds.filter({ !kinds.contains($0.key) }).map(\.value).min(by: {
          $0.number < $1.number
        })
      else { continue }
      let name = PrintableText.name(found.name)
      let more =
        others > 1 ? "\(others - 1) more \(others == 2 ? "is" : "are") not either. " : ""
      return
        "\(place), column \(column) ('\(name)') is not a \(what), so the column becomes text; "
        + "\(counted(found.count(kinds), "other value")) \(found.count(kinds) == 1 ? "is" : "are"). \(more)"
        + "Correct the file, or use --type '\(name):String' if text is intended."
    }
    return nil
  }
}
