package import ConditionReference
package import ObjectVaultCondition
import ObjectVaultCore
package import ObjectVaultModel

/// Four classes that refer to one another in every way there is, with awkward values: by an
/// objectID of two parts, by a text, by a number, to the own class, one to one, and nowhere.
///
/// No store takes a class that owns objects of its own; conditions know no such bounds.
package final class GeneratedGraph {
  package static let site = ClassDescription(
    "Site",
    properties: [
      PropertyDescription("country", type: .string), PropertyDescription("code", type: .int),
      PropertyDescription("budget", type: .decimal, isOptional: true),
      PropertyDescription("rating", type: .double),
    ], objectID: ["country", "code"],
    owned: [OwnedDescription("rooms", target: "Room", reference: "site")])

  package static let room = ClassDescription(
    "Room",
    properties: [
      PropertyDescription("name", column: "the \"name\"", type: .string),
      PropertyDescription("floor", type: .int, isOptional: true),
      PropertyDescription("open", type: .bool),
      PropertyDescription("site_country", type: .string, isOptional: true),
      PropertyDescription("site_code", type: .int, isOptional: true),
    ], objectID: ["name"],
    references: [
      ReferenceDescription(
        "site", properties: ["site_country", "site_code"], target: "Site",
        targetColumns: ["country", "code"])
    ],
    owned: [
      OwnedDescription("students", target: "Student", reference: "room"),
      OwnedDescription("teacher", target: "Teacher", reference: "room", isMany: false),
    ])

  package static let teacher = ClassDescription(
    "Teacher",
    properties: [
      PropertyDescription("number", type: .int),
      PropertyDescription("name", type: .string, isOptional: true),
      PropertyDescription("room", type: .string),
    ], objectID: ["number"],
    references: [
      ReferenceDescription("room", target: "Room", targetColumns: ["the \"name\""])
    ])

  package static let student = ClassDescription(
    "Student",
    properties: [
      PropertyDescription("name", type: .string),
      PropertyDescription("age", type: .int, isOptional: true),
      PropertyDescription("height", type: .float),
      PropertyDescription("weight", type: .double, isOptional: true),
      PropertyDescription("fee", type: .decimal),
      PropertyDescription("born", type: .date, isOptional: true),
      PropertyDescription("active", type: .bool),
      PropertyDescription("code", type: .uuid),
      PropertyDescription("page", type: .url, isOptional: true),
      PropertyDescription("photo", type: .data),
      PropertyDescription("tags", type: .json),
      PropertyDescription("room", column: "in", type: .string, isOptional: true),
      PropertyDescription("friend", type: .int64, isOptional: true),
    ],
    references: [
      ReferenceDescription("room", target: "Room", targetColumns: ["the \"name\""]),
      ReferenceDescription("friend", target: "Student"),
    ], owned: [OwnedDescription("admirers", target: "Student", reference: "friend")])

  package static let classes = [site, room, teacher, student]

  package static func description(_ name: String) -> ClassDescription {
    classes.first { $0.name == name } ?? site
  }

  package static func schema(of description: ClassDescription) -> ClassSchema {
    ClassSchema(description: description) { ClassGraph(classes) }
  }

  /// The rows by table; the rowid of each is its place.
  package private(set) var rows: [String: [[StoredValue]]] = [:]

  /// Creates rows.
  ///
  /// - Parameters:
  ///   - random: The source of values.
  ///   - hasNUL: Whether texts can contain NUL characters, which not every engine stores.
  package init(_ random: inout SeededGenerator, hasNUL: Bool = true) {
    for (description, count) in [(Self.site, 6), (Self.room, 12), (Self.teacher, 8)] {
      rows[description.table] = Self.rows(of: description, count, &random)
    }
    rows["Student"] = Self.rows(of: Self.student, 40, &random)
    // The keys: each once, and references to them, to nothing and to none that there is.
    for place in 0..<6 {
      rows["Site"]?[place][0] = .text(["LI", "CH"][place % 2])
      rows["Site"]?[place][1] = .integer(Int64(place / 2))
    }
    for place in 0..<12 {
      rows["Room"]?[place][0] = .text("room '\(place)'")
      let site = place == 0 ? nil : random.pick([0, 1, 1, 2, 9])
      rows["Room"]?[place][3] = site.map { .text(["LI", "CH"][$0 % 2]) } ?? .null
      rows["Room"]?[place][4] = site.map { .integer(Int64($0 / 2)) } ?? .null
    }
    for place in 0..<8 {
      rows["Teacher"]?[place][0] = .integer(Int64(place))
      rows["Teacher"]?[place][2] = .text("room '\(place + (place == 7 ? 90 : 0))'")
    }
    for place in 0..<40 {
      let room = random.oneIn(6) ? nil : random.pick([0, 1, 2, 2, 3, 3, 3, 4, 9, 99])
      rows["Student"]?[place][11] = room.map { .text("room '\($0)'") } ?? .null
      let friend = random.oneIn(3) ? nil : Int64(random.pick([place, 0, 1, 2, 3, 17, 30, 99]))
      rows["Student"]?[place][12] = friend.map { .integer($0) } ?? .null
      rows["Student"]?[place][13] = .integer(Int64(place))
    }
    if hasNUL { return }
    rows = rows.mapValues { rows in
      rows.map { row in
        row.map { value in
          guard case .text(let text) = value else { return value }
          return .text(text.replacing("\0", with: ""))
        }
      }
    }
  }

  private static func rows(
    of description: ClassDescription, _ count: Int, _ random: inout SeededGenerator
  ) -> [[StoredValue]] {
    (0..<count).map { _ in
      let values = description.properties.map { property in
        property.isOptional && random.oneIn(4)
          ? StoredValue.null : GeneratedTable.value(property.type, &random)
      }
      return description.objectID == .generated ? values + [.null] : values
    }
  }

  // MARK: For the evaluator

  package final class Object: EvaluatedObject {
    private unowned let graph: GeneratedGraph
    private let row: [StoredValue]
    /// What was followed once, by the name of the association.
    private var associated: [String: [Object]] = [:]

    init(_ row: [StoredValue], in graph: GeneratedGraph) {
      self.row = row
      self.graph = graph
    }

    package func storedValue(at position: Int) -> StoredValue { row[position] }

    package func objects(across step: AssociationStep) -> [any EvaluatedObject] {
      if let known = associated[step.name] { return known }
      let found = (graph.objects[step.table] ?? []).filter { other in
        step.pairs.allSatisfy { !row[$0.near].isNull && row[$0.near] == other.row[$0.far] }
      }
      associated[step.name] = found
      return found
    }
  }

  /// The objects by table.
  private lazy var objects: [String: [Object]] = rows.mapValues { rows in
    rows.map { Object($0, in: self) }
  }

  package func objects(of description: ClassDescription) -> [Object] {
    objects[description.table] ?? []
  }

  // MARK: What conditions can ask for

  /// Every path of up to three steps from a class: values of its own, behind references, of all
  /// objects behind to-many associations, and their aggregates.
  package static func subjects(of description: ClassDescription) throws -> [ConditionSubject] {
    var subjects: [ConditionSubject] = []
    try add(schema(of: description), [], isMany: false, to: &subjects)
    return subjects
  }

  private static func add(
    _ schema: ClassSchema, _ names: [String], isMany: Bool, to subjects: inout [ConditionSubject]
  ) throws {
    for name in schema.propertyNames {
      guard let property = schema.property(named: name) else { continue }
      subjects += self.subjects(of: property, names + [name], isMany: isMany)
    }
    if isMany {
      subjects.append(
        ConditionSubject(
          path: PropertyPath(names, aggregate: .count), way: .aggregate, type: .int64,
          isOptional: false))
    }
    guard names.count < 3 else { return }
    for name in schema.associationNames {
      guard let association = try schema.association(named: name),
        let target = association.target as? ClassSchema
      else { continue }
      try add(
        target, names + [name], isMany: isMany || association.step.isMany, to: &subjects)
    }
  }

  private static func subjects(
    of property: PropertyShape, _ names: [String], isMany: Bool
  ) -> [ConditionSubject] {
    func subject(
      _ way: ConditionSubject.Way, _ aggregate: Aggregate? = nil, _ type: PropertyType? = nil,
      optional: Bool
    ) -> ConditionSubject {
      ConditionSubject(
        path: PropertyPath(names, aggregate: aggregate), way: way, type: type ?? property.type,
        isOptional: optional)
    }
    guard isMany else {
      return [
        subject(names.count == 1 ? .own : .reference, optional: property.isOptional)
      ]
    }
    var subjects = [ConditionSubject.Way.any, .all, .none].map {
      subject($0, optional: property.isOptional)
    }
    switch property.type.family {
    case .data, .composite: return subjects
    case .integer:
      subjects.append(subject(.aggregate, .sum, .int64, optional: false))
      subjects.append(subject(.aggregate, .avg, .double, optional: true))
    case .real:
      subjects.append(subject(.aggregate, .sum, .double, optional: true))
      subjects.append(subject(.aggregate, .avg, .double, optional: true))
    case .decimal: subjects.append(subject(.aggregate, .sum, .decimal, optional: false))
    default: break
    }
    subjects.append(subject(.aggregate, .min, optional: true))
    subjects.append(subject(.aggregate, .max, optional: true))
    return subjects
  }
}
