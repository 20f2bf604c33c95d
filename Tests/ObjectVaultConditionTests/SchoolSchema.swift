import ConditionReference
import ObjectVaultCondition

/// One class of a small graph: sites of two parts, with rooms, with a teacher and students, who
/// have friends among each other.
struct SchoolSchema: ConditionSchema {
  enum Kind: String { case site = "Site", room = "Room", teacher = "Teacher", student = "Student" }

  let kind: Kind
  var className: String { kind.rawValue }

  private var properties: [PropertyShape] {
    let fields: [(String, PropertyType, Bool)] =
      switch kind {
      case .site: [("country", .string, false), ("code", .int, false), ("budget", .decimal, true)]
      case .room:
        [
          ("name", .string, false), ("floor", .int, false), ("open", .bool, false),
          ("site_country", .string, true), ("site_code", .int, true),
        ]
      case .teacher: [("number", .int, false), ("room", .string, false)]
      case .student:
        [
          ("name", .string, false), ("age", .int, true), ("height", .float, false),
          ("fee", .decimal, false), ("born", .date, false), ("photo", .data, true),
          ("room", .string, true), ("friend", .int64, true), ("objectID", .int64, false),
        ]
      }
    return fields.enumerated().map { position, field in
      PropertyShape(field.0, at: position, type: field.1, isOptional: field.2)
    }
  }

  var propertyNames: [String] { properties.map(\.name) }
  func property(named name: String) -> PropertyShape? { properties.first { $0.name == name } }

  var objectID: [PropertyShape] {
    switch kind {
    case .site: Array(properties[0...1])
    case .room, .teacher: [properties[0]]
    case .student: [properties[8]]
    }
  }

  var associationNames: [String] {
    switch kind {
    case .site: ["rooms"]
    case .room: ["site", "teacher", "students"]
    case .teacher: ["room"]
    case .student: ["room", "friend", "admirers"]
    }
  }

  func association(named name: String) -> AssociationShape? {
    switch (kind, name) {
    case (.site, "rooms"): owned(name, .room, isMany: true, [(0, 3), (1, 4)])
    case (.room, "site"): reference(name, .site, [(3, 0), (4, 1)])
    case (.room, "teacher"): owned(name, .teacher, isMany: false, [(0, 1)])
    case (.room, "students"): owned(name, .student, isMany: true, [(0, 6)])
    case (.teacher, "room"): reference(name, .room, [(1, 0)], isOptional: false)
    case (.student, "room"): reference(name, .room, [(6, 0)])
    case (.student, "friend"): reference(name, .student, [(7, 8)])
    case (.student, "admirers"): owned(name, .student, isMany: true, [(8, 7)])
    default: nil
    }
  }

  private func reference(
    _ name: String, _ kind: Kind, _ pairs: [(Int, Int)], isOptional: Bool = true
  ) -> AssociationShape {
    shape(name, kind, isMany: false, pairs, isReference: true, isOptional: isOptional)
  }

  private func owned(
    _ name: String, _ kind: Kind, isMany: Bool, _ pairs: [(Int, Int)]
  ) -> AssociationShape {
    shape(name, kind, isMany: isMany, pairs, isReference: false, isOptional: false)
  }

  private func shape(
    _ name: String, _ kind: Kind, isMany: Bool, _ pairs: [(Int, Int)], isReference: Bool,
    isOptional: Bool
  ) -> AssociationShape {
    let target = SchoolSchema(kind: kind)
    return AssociationShape(
      AssociationStep(
        name, isMany: isMany, table: kind.rawValue, columns: target.propertyNames,
        pairs: pairs.map { AssociationStep.Pair(near: $0.0, far: $0.1) }),
      isReference: isReference, isOptional: isOptional, target: target)
  }
}

/// An object of the graph, associated with others by hand.
final class SchoolObject: EvaluatedObject {
  let kind: SchoolSchema.Kind
  private let values: [String: StoredValue]
  private var associated: [String: [SchoolObject]] = [:]

  init(_ kind: SchoolSchema.Kind, _ values: [String: StoredValue] = [:]) {
    self.kind = kind
    self.values = values
  }

  /// Associates the objects, and gives this one back.
  func with(_ name: String, _ objects: SchoolObject...) -> SchoolObject {
    associate(name, objects)
    return self
  }

  func associate(_ name: String, _ objects: [SchoolObject]) { associated[name] = objects }

  func storedValue(at position: Int) -> StoredValue {
    values[SchoolSchema(kind: kind).propertyNames[position]] ?? .null
  }

  func objects(across step: AssociationStep) -> [any EvaluatedObject] {
    associated[step.name] ?? []
  }

  /// Whether a condition holds for the object.
  func holds(_ text: String, _ arguments: ConditionArgument...) throws -> Bool {
    let checker = ConditionChecker(schema: SchoolSchema(kind: kind), folding: testFolding)
    let condition = try checker.resolve(
      try Condition.parse(text), arguments: arguments, text: text)
    return condition.holds(folding: testFolding, of: self)
  }
}
